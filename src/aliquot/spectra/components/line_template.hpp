#pragma once

#include "aliquot/spectra/component.hpp"

namespace aliquot::spectra {

/// A line profile on a grid of velocities, such as one made of a well measured line.
struct VelocityProfile {
    std::string name;
    std::vector<double> velocity_km_s;  ///< increasing
    std::vector<double> flux;           ///< as it is: nothing is normalised
};

/// Read a profile: two columns, velocity (km/s) and flux. Throws DataError (missing, malformed, fewer than 2 rows, velocities
/// that do not increase, values that are not finite).
[[nodiscard]] VelocityProfile read_velocity_profile(const std::string& path);

/// Line_template: amplitude T(v - dv), T the straight lines through a profile, zero outside it.
///
/// amplitude  factor on the profile
/// dv         shift, km/s
/// wavec      rest wavelength, Angstrom (fixed by default)
class LineTemplate final : public Component {
  public:
    explicit LineTemplate(VelocityProfile profile) : profile_(std::move(profile)) {}
    [[nodiscard]] std::string_view type() const override { return "Line_template"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;

  private:
    VelocityProfile profile_;
};

/// Line_template_doublet: the profile at wavec0 and wavec1, factors amp_c0 and amp_c1, with one shift dv_c.
class LineTemplateDoublet final : public Component {
  public:
    explicit LineTemplateDoublet(VelocityProfile profile) : profile_(std::move(profile)) {}
    [[nodiscard]] std::string_view type() const override { return "Line_template_doublet"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override;
    void evaluate(std::span<const double> wavelength, std::span<const double> values, std::span<double> flux) const override;

  private:
    VelocityProfile profile_;
};

}  // namespace aliquot::spectra
