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

/// What `aliquot virial` was asked to do.
struct VirialCommand {
    std::string file;
    std::string format;  ///< "" = by the file's name
    std::string units;   ///< "" = as the file says
    double softening = 0.0;
    std::size_t groups = 0;
    std::string gradient;  ///< file to write, "" = none
    std::string method = "direct";
    double tolerance = 1e-6;
    std::size_t threads = 0;  ///< 0 = all cores
    bool json = false;
    bool quiet = false;
};

/// What `aliquot cluster` was asked to do.
struct ClusterCommand {
    std::string config;
    std::string out;
    std::string format;   ///< "" = by the file's name
    std::string profile;  ///< CSV file of the model's profiles, "" = none
    std::string report;   ///< HTML page, "" = none
    std::vector<std::string> overrides;
    std::string n;     ///< "" = the configuration's
    std::string seed;  ///< "" = the configuration's
    std::size_t realizations = 1;
    std::size_t threads = 0;  ///< 0 = all cores
    bool json = false;
    bool quiet = false;
};

/// Each runs its command and returns the exit code; errors are thrown.
int run(const FitCommand& command);
int run(const ClusterCommand& command);
int run(const MockAgnCommand& command);
int run(const VirialCommand& command);
int run_info(bool json);

}  // namespace aliquot::app
