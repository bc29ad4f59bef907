#include <cstddef>

#include "aliquot/math/erf.hpp"
#include "aliquot/math/exp.hpp"
#include "aliquot/math/log.hpp"

namespace aliquot::ALIQUOT_ISA {
namespace {

template <typename F>
inline __attribute__((always_inline)) void each(const double* in, std::size_t count, double* out) {
    const F f;
    for (std::size_t i = 0; i < count; ++i)
        out[i] = f(in[i]);
}

}  // namespace

void array_exp(const double* in, std::size_t count, double* out) noexcept {
    each<math::Exp>(in, count, out);
}
void array_log(const double* in, std::size_t count, double* out) noexcept {
    each<math::Log>(in, count, out);
}
void array_erf(const double* in, std::size_t count, double* out) noexcept {
    each<math::Erf>(in, count, out);
}
void array_erfc(const double* in, std::size_t count, double* out) noexcept {
    each<math::Erfc>(in, count, out);
}
void array_erfcx(const double* in, std::size_t count, double* out) noexcept {
    each<math::Erfcx>(in, count, out);
}

}  // namespace aliquot::ALIQUOT_ISA
