#include "aliquot/spectra/expression.hpp"

#include <algorithm>
#include <cctype>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"

namespace aliquot::spectra {

namespace {

/// Recursive descent: sum = product {"+" product}, product = factor {"*" factor}, factor = name | "(" sum ")".
class Parser {
  public:
    Parser(std::string_view text, std::span<const std::string> names) : text_(text), names_(names), used_(names.size(), false) {}

    Expression parse() {
        sum();
        if (peek() != '\0') fail(format("unexpected \"{}\"", text_[at_]));
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (!used_[i])
                throw ConfigError(
                    format("expression = \"{}\" (component \"{}\" does not appear in it): add it, or remove the component", text_,
                           names_[i]));
        }
        return std::move(ops_);
    }

  private:
    char peek() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    [[noreturn]] void fail(const std::string& why) const {
        throw ConfigError(
            format("expression = \"{}\" ({} at column {}): write sums and products of component names, as in \"(a + b) * c\"",
                   text_, why, at_ + 1));
    }
    void sum() {
        product();
        while (peek() == '+') {
            ++at_;
            product();
            ops_.push_back({ExpressionOp::Kind::add});
        }
    }
    void product() {
        factor();
        while (peek() == '*') {
            ++at_;
            factor();
            ops_.push_back({ExpressionOp::Kind::multiply});
        }
    }
    void factor() {
        if (peek() == '(') {
            if (++depth_ > 64) fail("parentheses nested more than 64 deep");
            ++at_;
            sum();
            if (peek() != ')') fail("a \")\" is missing");
            ++at_;
            --depth_;
            return;
        }
        const std::size_t start = at_;
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) == 0 &&
               std::string_view("+*()").find(text_[at_]) == std::string_view::npos)
            ++at_;
        const std::string_view name = text_.substr(start, at_ - start);
        if (name.empty()) fail("a component name is missing");
        const auto found = std::find(names_.begin(), names_.end(), name);
        if (found == names_.end())
            throw ConfigError(format("expression = \"{}\" (no component is named \"{}\"{})", text_, name, suggest(name, names_)));
        const auto index = static_cast<std::size_t>(found - names_.begin());
        if (used_[index])
            throw ConfigError(
                format("expression = \"{}\" (component \"{}\" appears twice): use each component once", text_, name));
        used_[index] = true;
        ops_.push_back({ExpressionOp::Kind::component, index});
    }

    std::string_view text_;
    std::span<const std::string> names_;
    std::vector<bool> used_;
    std::size_t at_ = 0;
    int depth_ = 0;
    Expression ops_;
};

}  // namespace

Expression parse_expression(std::string_view text, std::span<const std::string> names) {
    if (!text.empty()) return Parser(text, names).parse();
    Expression ops;
    for (std::size_t i = 0; i < names.size(); ++i) {
        ops.push_back({ExpressionOp::Kind::component, i});
        if (i > 0) ops.push_back({ExpressionOp::Kind::add});
    }
    return ops;
}

}  // namespace aliquot::spectra
