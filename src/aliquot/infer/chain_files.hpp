#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aliquot/infer/nested_result.hpp"

namespace aliquot::infer {

/// What other programs are told about a parameter.
struct ChainParameter {
    std::string name;
    double lower = 0.0;  ///< end of its prior
    double upper = 0.0;
};

/// A quantity that was made of parameters, at every sample of a run.
struct DerivedChain {
    std::string name;
    std::vector<double> values;
};

/// Each writes files whose names begin with `root` and returns them. Numbers have all their digits. Names are written without
/// blanks, and as labels in upright TeX; derived quantities follow the parameters, with a star where the format knows one. Throws
/// ResourceError.

/// PolyChord's files, which anesthetic reads as NestedSamples: ROOT_dead-birth.txt (parameters, ln L, ln L at birth, in order of
/// death; births from the prior are -1e30) and ROOT.paramnames.
std::vector<std::filesystem::path> write_polychord(const NestedResult& run, const std::vector<ChainParameter>& parameters,
                                                   const std::vector<DerivedChain>& derived, const std::filesystem::path& root);
/// GetDist's files: ROOT.txt (weight relative to the heaviest, -ln L, parameters; points below 1e-12 are left out),
/// ROOT.paramnames and ROOT.ranges (of the priors).
std::vector<std::filesystem::path> write_getdist(const NestedResult& run, const std::vector<ChainParameter>& parameters,
                                                 const std::vector<DerivedChain>& derived, const std::filesystem::path& root);
/// ROOT_equal.csv: a line of names, then as many equally weighted draws as the effective sample size.
std::vector<std::filesystem::path> write_equal_weight_csv(const NestedResult& run, const std::vector<ChainParameter>& parameters,
                                                          const std::vector<DerivedChain>& derived,
                                                          const std::filesystem::path& root);

}  // namespace aliquot::infer
