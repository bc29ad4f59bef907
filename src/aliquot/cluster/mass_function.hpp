#pragma once

#include <string>
#include <vector>

namespace aliquot::cluster {

/// A stellar mass function between two limits, in solar masses, drawn by its quantile.
class MassFunction {
  public:
    /// Pieces dN/dm ~ m^-alpha between ascending breaks, joined continuously.
    static MassFunction power_law(std::vector<double> breaks, std::vector<double> exponents);
    /// Kroupa (2001, MNRAS 322, 231): alpha 0.3, 1.3, 2.3 with breaks at 0.08 and 0.5.
    static MassFunction kroupa(double low = 0.08, double high = 150.0);
    /// Salpeter (1955, ApJ 121, 161): alpha 2.35.
    static MassFunction salpeter(double low = 0.08, double high = 150.0);
    /// Chabrier (2003, PASP 115, 763): lognormal about 0.079 with 0.69 dex below 1, alpha 2.3 above.
    static MassFunction chabrier(double low = 0.08, double high = 150.0);
    /// Maschberger (2013, MNRAS 429, 1725), L3: alpha 2.3, beta 1.4, mu 0.2.
    static MassFunction maschberger(double low = 0.01, double high = 150.0);
    /// All stars alike.
    static MassFunction single(double mass);
    /// The function of that name ("kroupa", "salpeter", "chabrier", "maschberger") between limits; ConfigError with the nearest
    /// name for another, and for limits that are not positive and ascending.
    static MassFunction by_name(const std::string& name, double low, double high);

    [[nodiscard]] double low() const { return pieces_.front().low; }
    [[nodiscard]] double high() const { return pieces_.back().high; }
    /// The mass below which a share u in [0, 1] of the stars lies.
    [[nodiscard]] double quantile(double u) const;
    /// Share of stars below a mass, and their share of the whole mass.
    [[nodiscard]] double number_below(double mass) const;
    [[nodiscard]] double mass_below(double mass) const;
    [[nodiscard]] double mean() const { return mean_; }

  private:
    enum class Shape { power, lognormal, maschberger, single };
    struct Piece {
        Shape shape = Shape::power;
        double low = 0.0;
        double high = 0.0;
        double alpha = 0.0;
        double norm = 1.0;         ///< joins the pieces
        double number_from = 0.0;  ///< share of stars below
        double number = 0.0;       ///< share of stars within
        double mass_from = 0.0;    ///< mean mass below
    };

    MassFunction() = default;
    void finish();
    [[nodiscard]] static double count(const Piece& piece, double from, double to);
    [[nodiscard]] static double mass(const Piece& piece, double from, double to);

    std::vector<Piece> pieces_;
    double mean_ = 0.0;
};

}  // namespace aliquot::cluster
