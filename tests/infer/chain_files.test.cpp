#include "aliquot/infer/chain_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aliquot/infer/nested_run.hpp"
#include "aliquot/infer/posterior.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/text_table.hpp"
#include "support/cube_problem.hpp"
#include "support/files.hpp"

namespace aliquot::infer {
namespace {

class ChainFiles : public ::testing::Test {
  protected:
    static NestedResult make() {
        Threads threads(2);
        NestedOptions o;
        o.live_points = 100;
        return run_nested(test::Cube(2, [](auto u) { return test::gaussian(u, 0.05); }), o, threads);
    }
    io::TextTable table(const std::string& name) const { return io::read_text_table((folder_ / name).string()); }
    std::string text(const std::string& name) const { return io::read_file(folder_ / name); }

    test::ScratchDirectory folder_;
    NestedResult run_ = make();
    std::vector<ChainParameter> parameters_{{"Narrow line.amp_c", 0.0, 1.0}, {"x", 0.0, 1.0}};
    std::vector<DerivedChain> derived_{{"ratio", ratio()}};

    [[nodiscard]] std::vector<double> ratio() const {
        std::vector<double> values;
        for (std::size_t i = 0; i < run_.samples.rows(); ++i)
            values.push_back(run_.samples(i, 0) / run_.samples(i, 1));
        return values;
    }
};

TEST_F(ChainFiles, PolychordHoldsEveryPointWithItsBirth) {
    const auto paths = write_polychord(run_, parameters_, derived_, folder_ / "r");
    EXPECT_EQ(paths, (std::vector<std::filesystem::path>{folder_ / "r_dead-birth.txt", folder_ / "r.paramnames"}));
    const io::TextTable points = table("r_dead-birth.txt");
    ASSERT_EQ(points.columns.size(), 5U);
    EXPECT_EQ(points.columns[0], column(run_.samples, 0));
    EXPECT_EQ(points.columns[2], ratio());
    EXPECT_EQ(points.columns[3], run_.log_likelihood);
    for (std::size_t i = 0; i < run_.log_birth.size(); ++i)
        EXPECT_EQ(points.columns[4][i], std::max(run_.log_birth[i], -1e30));
    EXPECT_EQ(std::count(points.columns[4].begin(), points.columns[4].end(), -1e30), 100);
    EXPECT_EQ(text("r.paramnames"),
              "Narrow_line.amp_c\t\\mathrm{Narrow\\_line.amp\\_c}\nx\t\\mathrm{x}\nratio*\t\\mathrm{ratio}\n");
}

TEST_F(ChainFiles, GetdistHoldsWeightsAndRanges) {
    write_getdist(run_, parameters_, derived_, folder_ / "r");
    const io::TextTable points = table("r.txt");
    ASSERT_EQ(points.columns.size(), 5U);
    double sum = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < points.rows(); ++i) {
        sum += points.columns[0][i];
        mean += points.columns[0][i] * points.columns[3][i];
    }
    double expected = 0.0;
    for (std::size_t i = 0; i < run_.samples.rows(); ++i)
        expected += std::exp(run_.log_weight[i]) * run_.samples(i, 1);
    EXPECT_NEAR(mean / sum, expected, 1e-9);
    EXPECT_EQ(*std::max_element(points.columns[0].begin(), points.columns[0].end()), 1.0);
    EXPECT_EQ(*std::min_element(points.columns[1].begin(), points.columns[1].end()), -run_.log_likelihood.back());
    EXPECT_EQ(text("r.ranges"), "Narrow_line.amp_c 0 1\nx 0 1\nratio N N\n");
}

TEST_F(ChainFiles, CsvHoldsEquallyWeightedDraws) {
    write_equal_weight_csv(run_, parameters_, derived_, folder_ / "r");
    const io::TextTable draws = table("r_equal.csv");
    EXPECT_EQ(draws.names, (std::vector<std::string>{"Narrow_line.amp_c", "x", "ratio"}));
    const auto count = static_cast<double>(draws.rows());
    EXPECT_NEAR(count, run_.diagnostics.effective_samples, 1.0);
    for (const auto& values : std::span(draws.columns).first(2)) {
        double mean = 0.0;
        double square = 0.0;
        for (const double x : values) {
            mean += x / count;
            square += (x - 0.5) * (x - 0.5) / count;
        }
        EXPECT_NEAR(mean, 0.5, 6.0 * 0.05 / std::sqrt(count));
        EXPECT_NEAR(std::sqrt(square), 0.05, 6.0 * 0.05 / std::sqrt(2.0 * count));
    }
}

}  // namespace
}  // namespace aliquot::infer
