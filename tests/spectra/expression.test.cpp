#include "aliquot/spectra/expression.hpp"

#include <gtest/gtest.h>

#include "aliquot/core/error.hpp"
#include "aliquot/spectra/plan.hpp"
#include "support/files.hpp"

namespace aliquot::spectra {
namespace {

const std::vector<std::string> names{"a", "b", "c", "d"};

std::string postfix(std::string_view text) {
    std::string out;
    for (const ExpressionOp& op : parse_expression(text, names))
        out += op.kind == ExpressionOp::Kind::component ? names[op.component] : op.kind == ExpressionOp::Kind::add ? "+" : "*";
    return out;
}
std::string fault(std::string_view text) {
    return test::message_of<ConfigError>([&] { (void)parse_expression(text, names); });
}

TEST(Expression, ProductsBindTighter) {
    EXPECT_EQ(postfix("a + b * c + d"), "abc*+d+");
    EXPECT_EQ(postfix("(a+b)*(c+d)"), "ab+cd+*");
    EXPECT_EQ(postfix("((a))+ b+c *d"), "ab+cd*+");
    EXPECT_EQ(postfix(""), "ab+c+d+");
}

TEST(Expression, FaultsSayWhere) {
    for (const auto& [text, word] : {std::pair{"a + b * c +", "missing at column 12"},
                                     {"(a + b", "\")\" is missing"},
                                     {"a + b) + c + d", "unexpected \")\""},
                                     {"a + b + c", "\"d\" does not appear"},
                                     {"a + a + b + c + d", "\"a\" appears twice"},
                                     {"a + e + b + c + d", "\"e\""},
                                     {"a - b", "\"-\""}})
        EXPECT_NE(fault(text).find(word), std::string::npos) << fault(text);
    EXPECT_NE(fault(std::string(100, '(')).find("64"), std::string::npos);
}

TEST(Plan, SumsShareOneRegister) {
    const Plan plan = make_plan(parse_expression("a + b + c + d", names));
    EXPECT_EQ(plan.program, std::vector<TileOp>{TileOp::sum});
    EXPECT_EQ(plan.groups, (std::vector<std::vector<std::size_t>>{{0, 1, 2, 3}}));
}

TEST(Plan, ProductsBecomePostfix) {
    const Plan plan = make_plan(parse_expression("(a + b) * c + d", names));
    EXPECT_EQ(plan.program, (std::vector<TileOp>{TileOp::sum, TileOp::sum, TileOp::multiply, TileOp::sum, TileOp::add}));
    EXPECT_EQ(plan.groups, (std::vector<std::vector<std::size_t>>{{0, 1}, {2}, {3}}));
}

TEST(Plan, DepthIsLimitedByTheRegisters) {
    // A balanced tree of products of sums needs one register more for every second level: 256 leaves fit.
    std::vector<std::string> many;
    for (int i = 0; i < 256; ++i)
        many.push_back("x" + std::to_string(i));
    const auto build = [&](auto&& self, int first, int count, bool product) -> std::string {
        if (count == 1) return many[static_cast<std::size_t>(first)];
        const std::string op = product ? "*" : "+";
        return "(" + self(self, first, count / 2, !product) + op + self(self, first + count / 2, count / 2, !product) + ")";
    };
    EXPECT_NO_THROW((void)make_plan(parse_expression(build(build, 0, 256, true), many)));
    // A chain is never deep, however long.
    std::string chain = many[0];
    for (std::size_t i = 1; i < 60; ++i)
        chain = "(" + chain + (i % 2 == 0 ? " + " : " * ") + many[i] + ")";
    EXPECT_NO_THROW((void)make_plan(parse_expression(chain, std::span(many).first(60))));
}

}  // namespace
}  // namespace aliquot::spectra
