#pragma once

#include "aliquot/cluster/kernels/multipole.hpp"
#include "aliquot/cluster/kernels/pair.hpp"
#include "aliquot/math/dispatch.hpp"

namespace aliquot::cluster {

/// Kernels of one instruction-set level. `coincident` counts unsoftened pairs at zero distance, which are left out.
struct PairKernels {
    /// Sum of m_i m_j / sqrt(r^2 + softening^2) over i in rows and j in columns; over i < j where both are the same run. Other
    /// runs must not overlap.
    double (*energy)(const PairColumns& stars, PairRange rows, PairRange columns, std::uint64_t& coincident) noexcept;
    /// The same pairs, added to the fields of both partners. Runs begin and end at multiples of pair_lanes.
    void (*forces)(const PairColumns& stars, PairRange rows, PairRange columns, const PairFields& fields,
                   std::uint64_t& coincident) noexcept;
    /// Energies sum m_i m_j / r between multipole_batch pairs of groups, from their moments.
    void (*multipoles)(const MultipolePairs& pairs, double* energies) noexcept;
};

/// The kernels of a level that this machine has.
[[nodiscard]] const PairKernels& pair_kernels(math::SimdLevel level);

}  // namespace aliquot::cluster
