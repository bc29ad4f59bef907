#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aliquot::spectra {

/// A sum-and-product expression over components, in postfix order.
struct ExpressionOp {
    enum class Kind { component, add, multiply } kind;
    std::size_t component = 0;  ///< index, for Kind::component
};
using Expression = std::vector<ExpressionOp>;

/// Parse "(a + b) * c" over component names. Every component must appear exactly once. An empty text means the sum of all.
/// Throws ConfigError naming the column of a syntax error, an unknown name (nearest offered), a name used twice or left out.
[[nodiscard]] Expression parse_expression(std::string_view text, std::span<const std::string> names);

}  // namespace aliquot::spectra
