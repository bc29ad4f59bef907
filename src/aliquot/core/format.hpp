#pragma once

#include <fmt/core.h>

namespace aliquot {

/// std::format where the standard library lacks it (g++ 12). For .cpp files; no public header includes this one.
using fmt::format;

}  // namespace aliquot
