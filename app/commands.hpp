#pragma once

#include <cstdint>
#include <optional>
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
    std::string effective_samples;       ///< "" = the configuration's
    std::size_t threads = 0;             ///< 0 = all cores
    bool resume = false;                 ///< continue from the checkpoint in `out`
    bool verify = false;                 ///< run again with twice the slices and compare
    bool quick = false;                  ///< no nested sampling
    bool json = false;
    bool quiet = false;
};

/// What `aliquot merge` was asked to do.
struct MergeCommand {
    std::vector<std::string> files;
    std::string out;
    std::string data;
    std::size_t threads = 0;  ///< 0 = all cores
    bool json = false;
    bool quiet = false;
};

/// What `aliquot show` was asked to do.
struct ShowCommand {
    std::string file;
    bool json = false;
    bool config = false;  ///< the configuration it was made with
};

/// What `aliquot export` was asked to do.
struct ExportCommand {
    std::string file;
    std::vector<std::string> formats;
    std::string out;  ///< what the files' names begin with; "" = the file's path without its ending
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

/// What `aliquot collapse` was asked to do; texts are parsed by run().
struct CollapseCommand {
    std::vector<std::string> paths;
    std::string out;
    std::vector<std::string> layers;
    std::string preset;
    std::vector<std::string> targets;
    std::vector<std::string> times;
    std::string rows;
    std::string shape;
    std::string sample_axis = "last";
    std::string level = "auto";
    std::string format = "npy";
    std::string non_finite = "raise";
    std::string memory = "256M";
    std::string observed;
    std::string mapping;
    std::string totals;
    double tip_mass = 0.25;
    std::optional<double> zero_cutoff;
    std::size_t threads = 0;  ///< 0 = all cores
    bool no_report = false;
    bool json = false;
    bool quiet = false;
};

/// What `aliquot mock frame` was asked to do.
struct MockFrameCommand {
    std::size_t rows = 10000;
    std::size_t draws = 1000;
    std::string kind = "conflict";
    std::uint64_t seed = 1;
    std::string out;
};

/// Each runs its command and returns the exit code; errors are thrown.
int run(const FitCommand& command);
int run(const MergeCommand& command);
int run(const ExportCommand& command);
int run(const ShowCommand& command);
int run(const ClusterCommand& command);
int run(const MockAgnCommand& command);
int run(const VirialCommand& command);
int run(const CollapseCommand& command);
int run(const MockFrameCommand& command);
int run_info(bool json);

}  // namespace aliquot::app
