#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace aliquot::spectra {

/// A template filtered with a Gaussian of any width at the price of a short weighted sum: within the widths that share a filter
/// radius, the weights exp(-k^2 / 2 sigma^2) are so smooth in 1 / sigma^2 that interpolation between a few filtered templates
/// gives the filter to 1e-13 of the template's peak. The filtered templates of a radius are made when it is first asked for, by
/// whichever thread that is; what they hold does not depend on it.
class BroadeningTable {
  public:
    static constexpr std::size_t least_radius = 8;   ///< the filter itself is as cheap below
    static constexpr std::size_t most_radius = 256;  ///< bounds the memory: above, the filter itself
    static constexpr std::size_t most_nodes = 10;

    /// Channels that the broadened template can have values in.
    struct Channels {
        std::size_t first;
        std::size_t end;
        [[nodiscard]] std::size_t count() const { return end - first; }
    };

    /// `value` is zero outside [first_nonzero, end_nonzero) and mirrored beyond its ends.
    BroadeningTable(std::span<const double> value, std::size_t first_nonzero, std::size_t end_nonzero);
    ~BroadeningTable();
    BroadeningTable(const BroadeningTable&) = delete;
    BroadeningTable& operator=(const BroadeningTable&) = delete;

    [[nodiscard]] static constexpr bool holds(std::size_t radius) { return radius >= least_radius && radius <= most_radius; }
    /// Those that a non-zero channel reaches with a filter of this radius, and one more at each side.
    [[nodiscard]] Channels channels(std::size_t radius) const;
    /// The template's values around `channels(radius)`, `radius` more at each side: what a filter reads.
    void pad(std::size_t radius, std::vector<double>& padded) const;

    /// The filtered templates of a radius, one after the other.
    struct Basis {
        std::size_t nodes = 0;
        std::array<double, most_nodes> inverse_variance{};  ///< 1 / sigma^2 at the nodes, channels^-2
        std::vector<double> value;                          ///< (nodes, channels(radius).count())

        /// What each of them counts for at a width of the radius.
        [[nodiscard]] std::array<double, most_nodes> weights(double sigma_channels) const;
    };
    /// Of a radius that the table holds.
    [[nodiscard]] const Basis& basis(std::size_t radius) const;

  private:
    struct Slots;

    std::vector<double> value_;
    std::size_t first_nonzero_;
    std::size_t end_nonzero_;
    std::unique_ptr<Slots> slots_;
};

/// Widths of `sigma` channels are filtered with weights from -radius to radius: int(4 sigma + 0.5).
[[nodiscard]] constexpr std::size_t filter_radius(double sigma) {
    return static_cast<std::size_t>(4.0 * sigma + 0.5);
}

/// Weights [0..radius] of a Gaussian of `sigma` channels, exp(-k^2 / 2 sigma^2) over their two-sided sum.
[[nodiscard]] std::vector<double> gaussian_weights(double sigma, std::size_t radius);

/// Index into an array of `count` mirrored at its ends.
[[nodiscard]] constexpr std::size_t mirrored_index(std::ptrdiff_t index, std::size_t count) {
    const auto period = static_cast<std::ptrdiff_t>(2 * count);
    index %= period;
    if (index < 0) index += period;
    return static_cast<std::size_t>(index < static_cast<std::ptrdiff_t>(count) ? index : period - 1 - index);
}

}  // namespace aliquot::spectra
