#include "aliquot/cluster/kernels/multipole.hpp"

#include "aliquot/math/simd_vector.hpp"

namespace aliquot::ALIQUOT_ISA {
namespace {

using cluster::MonomialTable;
using cluster::multipole_batch;
using cluster::multipole_order;
using cluster::multipole_terms;
using cluster::MultipolePairs;

constexpr std::size_t width = simd_width;
constexpr MonomialTable table;

/// Pairs of monomials by their product: those of product t are pairs[begin[t]] to pairs[begin[t + 1]]. Dipoles vanish about
/// centres of mass, so no factor has degree 1.
struct ProductTable {
    static constexpr std::size_t capacity = 3003;
    std::uint8_t first[capacity] = {};
    std::uint8_t second[capacity] = {};
    std::uint16_t begin[multipole_terms + 1] = {};

    constexpr ProductTable() {
        std::size_t at = 0;
        for (std::size_t t = 0; t < multipole_terms; ++t) {
            begin[t] = static_cast<std::uint16_t>(at);
            for (int a = 0; a <= table.i[t]; ++a) {
                for (int b = 0; b <= table.j[t]; ++b) {
                    for (int c = 0; c <= table.k[t]; ++c) {
                        const std::size_t f = table.index[a][b][c];
                        const std::size_t s = table.index[table.i[t] - a][table.j[t] - b][table.k[t] - c];
                        if (table.degree(f) == 1 || table.degree(s) == 1) continue;
                        first[at] = static_cast<std::uint8_t>(f);
                        second[at++] = static_cast<std::uint8_t>(s);
                    }
                }
            }
        }
        begin[multipole_terms] = static_cast<std::uint16_t>(at);
    }
};
constexpr ProductTable products;

constexpr double factorial(int n) {
    return n < 2 ? 1.0 : n * factorial(n - 1);
}

/// The recurrence of the Taylor coefficients: what each is made of; coefficient multipole_terms is zero.
struct RecurrenceTable {
    std::uint8_t one[3][multipole_terms] = {};  ///< a step back along x, y, z
    std::uint8_t two[3][multipole_terms] = {};  ///< two steps
    double one_factor[multipole_terms] = {};
    double two_factor[multipole_terms] = {};
    double factorials[multipole_terms] = {};

    constexpr RecurrenceTable() {
        for (std::size_t t = 0; t < multipole_terms; ++t) {
            const int i = table.i[t];
            const int j = table.j[t];
            const int k = table.k[t];
            const int n = i + j + k;
            factorials[t] = factorial(i) * factorial(j) * factorial(k);
            one_factor[t] = n > 0 ? (2.0 * n - 1.0) / n : 0.0;
            two_factor[t] = n > 0 ? (n - 1.0) / n : 0.0;
            constexpr std::uint8_t none = multipole_terms;
            one[0][t] = i > 0 ? table.index[i - 1][j][k] : none;
            one[1][t] = j > 0 ? table.index[i][j - 1][k] : none;
            one[2][t] = k > 0 ? table.index[i][j][k - 1] : none;
            two[0][t] = i > 1 ? table.index[i - 2][j][k] : none;
            two[1][t] = j > 1 ? table.index[i][j - 2][k] : none;
            two[2][t] = k > 1 ? table.index[i][j][k - 2] : none;
        }
    }
};
constexpr RecurrenceTable recurrence;

}  // namespace

/// Energies sum m_i m_j / r between the groups of each pair, by the Taylor series of 1 / |R - d| up to the order. Its
/// coefficients b follow from n R^2 b_g = (2n - 1) sum R_i b_(g - e_i) - (n - 1) sum b_(g - 2 e_i) (Lindsay & Krasny 2001).
void multipole_energy(const MultipolePairs& pairs, double* energies) noexcept {
    const std::size_t terms = table.degree_end[pairs.order];
    for (std::size_t lane = 0; lane < multipole_batch; lane += width) {
        double first[multipole_terms * width];
        double second[multipole_terms * width];
        for (std::size_t l = 0; l < width; ++l) {
            for (std::size_t t = 0; t < terms; ++t) {
                first[t * width + l] = pairs.first[lane + l][t];
                const double m = pairs.second[lane + l][t];
                second[t * width + l] = table.degree(t) % 2 == 0 ? m : -m;  // of -d
            }
        }
        const vector_f64 x = load(pairs.x + lane);
        const vector_f64 y = load(pairs.y + lane);
        const vector_f64 z = load(pairs.z + lane);
        const vector_f64 inverse_squared = broadcast(1.0) / fused(z, z, fused(y, y, x * x));
        double root[width];
        store(root, inverse_squared);
        for (double& r : root)
            r = __builtin_sqrt(r);
        vector_f64 b[multipole_terms + 1];
        b[multipole_terms] = vector_f64{};
        b[0] = load(root);
        for (std::size_t t = 1; t < terms; ++t) {
            const vector_f64 one =
                fused(x, b[recurrence.one[0][t]], fused(y, b[recurrence.one[1][t]], z * b[recurrence.one[2][t]]));
            const vector_f64 two = b[recurrence.two[0][t]] + b[recurrence.two[1][t]] + b[recurrence.two[2][t]];
            b[t] = inverse_squared * fused(broadcast(recurrence.one_factor[t]), one, broadcast(-recurrence.two_factor[t]) * two);
        }
        vector_f64 energy{};
        for (std::size_t t = 0; t < terms; ++t) {
            if (products.begin[t] == products.begin[t + 1]) continue;
            const auto product = [&](std::size_t q, vector_f64 sum) {
                return fused(load(first + products.first[q] * width), load(second + products.second[q] * width), sum);
            };
            vector_f64 even{};
            vector_f64 odd{};
            std::size_t q = products.begin[t];
            for (; q + 1 < products.begin[t + 1]; q += 2) {
                even = product(q, even);
                odd = product(q + 1, odd);
            }
            if (q < products.begin[t + 1]) even = product(q, even);
            energy = fused(broadcast(recurrence.factorials[t]) * b[t], even + odd, energy);
        }
        store(energies + lane, energy);
    }
}

}  // namespace aliquot::ALIQUOT_ISA
