#pragma once

#include <cstdint>
#include <string>

namespace aliquot::app {

/// The whole number that an option was given; a usage error that names the option for anything else.
std::uint64_t parse_whole_number(const std::string& option, const std::string& text);

}  // namespace aliquot::app
