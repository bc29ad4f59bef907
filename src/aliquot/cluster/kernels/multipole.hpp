#pragma once

#include <cstddef>
#include <cstdint>

/// Cartesian multipoles of groups of stars, shared by the kernels of every instruction set; this header includes nothing of the
/// standard library's templates.
namespace aliquot::cluster {

inline constexpr int multipole_order = 8;  ///< highest total degree
inline constexpr std::size_t multipole_terms = (multipole_order + 1) * (multipole_order + 2) * (multipole_order + 3) / 6;
inline constexpr std::size_t multipole_batch = 8;  ///< pairs of groups that a kernel takes at once

/// Monomials x^i y^j z^k by total degree, and the products of two of them.
struct MonomialTable {
    std::uint8_t i[multipole_terms] = {};
    std::uint8_t j[multipole_terms] = {};
    std::uint8_t k[multipole_terms] = {};
    std::size_t degree_end[multipole_order + 1] = {};  ///< monomials of degree up to n are the first degree_end[n]
    std::uint8_t index[multipole_order + 1][multipole_order + 1][multipole_order + 1] = {};

    constexpr MonomialTable() {
        std::size_t at = 0;
        for (int n = 0; n <= multipole_order; ++n) {
            for (int a = n; a >= 0; --a) {
                for (int b = n - a; b >= 0; --b) {
                    const int c = n - a - b;
                    i[at] = static_cast<std::uint8_t>(a);
                    j[at] = static_cast<std::uint8_t>(b);
                    k[at] = static_cast<std::uint8_t>(c);
                    index[a][b][c] = static_cast<std::uint8_t>(at++);
                }
            }
            degree_end[n] = at;
        }
    }
    [[nodiscard]] constexpr int degree(std::size_t t) const { return i[t] + j[t] + k[t]; }
};

/// Pairs of groups: moments M_abc = sum m x^a y^b z^c / (a! b! c!) about each centre of mass, in the table's order, and the
/// vector from the first centre to the second.
struct MultipolePairs {
    const double* first[multipole_batch];
    const double* second[multipole_batch];
    double x[multipole_batch];
    double y[multipole_batch];
    double z[multipole_batch];
    int order;  ///< total degree kept, 2 to multipole_order
};

}  // namespace aliquot::cluster
