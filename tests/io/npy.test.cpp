#include "aliquot/io/npy.hpp"

#include <gtest/gtest.h>

#include "aliquot/core/error.hpp"
#include "support/files.hpp"

namespace aliquot::io {
namespace {

/// A header as numpy writes it, of any version.
std::string header(const std::string& dictionary, int version = 1) {
    std::string text = dictionary + "\n";
    std::string bytes = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
        bytes += static_cast<char>(text.size() >> (8 * i) & 255U);
    return bytes + text;
}

std::string refusal(const std::string& bytes) {
    return test::message_of<DataError>([&] { (void)parse_npy_header(bytes, "y.npy"); });
}

TEST(Npy, EveryVersionOrderAndSize) {
    for (const int version : {1, 2, 3}) {
        for (const auto& [descr, kind, size, big] : {std::tuple{"<f4", NumberKind::floating, 4, false},
                                                     {">f4", NumberKind::floating, 4, true},
                                                     {"<f2", NumberKind::floating, 2, false},
                                                     {">f8", NumberKind::floating, 8, true},
                                                     {"|u1", NumberKind::unsigned_integer, 1, false},
                                                     {"<i8", NumberKind::signed_integer, 8, false}}) {
            const std::string bytes =
                header(std::string("{'descr': '") + descr + "', 'fortran_order': True, 'shape': (3, 40), }", version);
            const NpyHeader found = parse_npy_header(bytes, "y.npy");
            EXPECT_EQ(found.type, (NumberType{kind, static_cast<std::size_t>(size), big}));
            EXPECT_TRUE(found.fortran_order);
            EXPECT_EQ(found.shape, (std::vector<std::size_t>{3, 40}));
            EXPECT_EQ(found.data_offset, bytes.size());
            EXPECT_EQ(found.count(), 120U);
        }
    }
}

TEST(Npy, HeadersThatAreWrittenAreRead) {
    for (const std::vector<std::size_t>& shape : {std::vector<std::size_t>{7}, {2333448, 1000}, {}}) {
        const std::string bytes = npy_header("<i8", shape);
        EXPECT_EQ(bytes.size() % 64, 0U);
        const NpyHeader found = parse_npy_header(bytes, "y.npy");
        EXPECT_EQ(found.shape, shape);
        EXPECT_EQ(found.data_offset, bytes.size());
        EXPECT_FALSE(found.fortran_order);
    }
}

TEST(Npy, WhatIsWrongIsSaid) {
    EXPECT_NE(refusal("PK\3\4 something").find("does not begin with"), std::string::npos);
    EXPECT_NE(refusal("").find("empty"), std::string::npos);
    EXPECT_NE(refusal(header("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }")).find("Python objects"),
              std::string::npos);
    EXPECT_NE(refusal(header("{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }")).find("not real"), std::string::npos);
    EXPECT_NE(refusal(header("{'descr': '<f16', 'fortran_order': False, 'shape': (3,), }")).find("size"), std::string::npos);
    EXPECT_NE(refusal(header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }")).find("named fields"),
              std::string::npos);
    EXPECT_NE(refusal(header("{'descr': '<f4', 'shape': (3,), }")).find("damaged"), std::string::npos);
    EXPECT_NE(refusal(header("{'descr': '<f4', 'fortran_order': False, 'shape': (3")).find("damaged"), std::string::npos);
    EXPECT_NE(refusal(header("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 8), }")).find("more bytes"),
              std::string::npos);
    EXPECT_NE(refusal(header("{}", 4)).find("version 4.0"), std::string::npos);
    const std::string whole = npy_header("<f4", std::vector<std::size_t>{1, 2});
    EXPECT_NE(refusal(whole.substr(0, 50)).find("truncated"), std::string::npos);
    EXPECT_NE(refusal(whole.substr(0, 8)).find("truncated"), std::string::npos);
}

}  // namespace
}  // namespace aliquot::io
