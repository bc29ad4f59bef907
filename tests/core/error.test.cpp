#include "aliquot/core/error.hpp"

#include <gtest/gtest.h>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/matrix_view.hpp"

namespace aliquot {
namespace {

TEST(Error, CarriesItsExitCode) {
    EXPECT_EQ(ConfigError("x").exit_code(), ExitCode::config);
    EXPECT_EQ(DataError("x").exit_code(), ExitCode::data);
    EXPECT_EQ(DataError("x", ExitCode::no_input).exit_code(), ExitCode::no_input);
    EXPECT_EQ(ResourceError("x").exit_code(), ExitCode::io);
    EXPECT_EQ(static_cast<int>(ExitCode::stopped), 75);
}

TEST(Contract, NamesTheConditionAndThePlace) {
    try {
        ALIQUOT_EXPECT(1 + 1 == 3);
        FAIL();
    } catch (const InternalError& error) {
        EXPECT_NE(std::string(error.what()).find("1 + 1 == 3"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("error.test.cpp"), std::string::npos);
    }
}

TEST(MatrixView, SeesRows) {
    Matrix<int> m(2, 3);
    m(1, 2) = 7;
    const MatrixView<const int> view = m.view();
    EXPECT_EQ(view.row(1)[2], 7);
    EXPECT_EQ(view.middle_rows(1, 1)(0, 2), 7);
    m.append_row(std::vector<int>{1, 2, 3});
    EXPECT_EQ(m.rows(), 3U);
    EXPECT_EQ(m(2, 0), 1);
}

}  // namespace
}  // namespace aliquot
