#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aliquot::app {

/// What `aliquot fit` was asked to do.
struct FitCommand {
    std::string config;
    std::string out;
    std::string data;
    std::vector<std::string> overrides;  ///< key=value
    std::string seed;                    ///< "" = the configuration's
    std::size_t threads = 0;             ///< 0 = all cores
    bool json = false;
    bool quiet = false;
};

/// What `aliquot mock agn` was asked to do.
struct MockAgnCommand {
    std::uint64_t seed = 1;
    std::string out;
};

/// Each runs its command and returns the exit code; errors are thrown.
int run(const FitCommand& command);
int run(const MockAgnCommand& command);
int run_info(bool json);

}  // namespace aliquot::app
