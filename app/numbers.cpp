#include "app/numbers.hpp"

#include <charconv>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::app {

std::uint64_t parse_whole_number(const std::string& option, const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        throw Error(ExitCode::usage, format("{} {} (not a whole number from 0 to 2^64 - 1): give one", option, text));
    return number;
}

}  // namespace aliquot::app
