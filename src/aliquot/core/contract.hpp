#pragma once

#include <string>

#include "aliquot/core/error.hpp"

namespace aliquot::detail {

[[noreturn]] inline void contract_broken(const char* kind, const char* condition, const char* file, int line) {
    throw InternalError(std::string(kind) + " broken: " + condition + " (" + file + ":" + std::to_string(line) +
                        "); this is a fault of aliquot, please report it");
}

}  // namespace aliquot::detail

/// Contracts against programming faults, checked in every build: they stand outside hot loops.
#define ALIQUOT_CONTRACT_(kind, condition) \
    ((condition) ? static_cast<void>(0) : ::aliquot::detail::contract_broken(kind, #condition, __FILE__, __LINE__))
#define ALIQUOT_EXPECT(condition) ALIQUOT_CONTRACT_("precondition", condition)
#define ALIQUOT_ENSURE(condition) ALIQUOT_CONTRACT_("postcondition", condition)
