#include "aliquot/spectra/chi_square.hpp"

#include <vector>

#include "aliquot/core/contract.hpp"

namespace aliquot::spectra {

namespace {

class DenseChiSquare final : public ChiSquare {
  public:
    DenseChiSquare(const Model& model, std::span<const double> wavelength, std::span<const double> flux,
                   std::span<const double> error)
        : model_(model),
          wavelength_(wavelength.begin(), wavelength.end()),
          flux_(flux.begin(), flux.end()),
          error_(error.begin(), error.end()) {
        ALIQUOT_EXPECT(flux_.size() == wavelength_.size() && error_.size() == wavelength_.size());
    }

    void evaluate(MatrixView<const double> theta, std::span<double> chi_square) const override {
        std::vector<double> predicted(wavelength_.size());
        for (std::size_t point = 0; point < theta.rows(); ++point) {
            model(theta.row(point), predicted);
            double total = 0.0;
            for (std::size_t i = 0; i < predicted.size(); ++i) {
                const double residual = (flux_[i] - predicted[i]) / error_[i];
                total += residual * residual;
            }
            chi_square[point] = total;
        }
    }

    void model(std::span<const double> theta, std::span<double> flux) const override {
        model_.evaluate(wavelength_, model_.expand(theta), flux);
    }

    [[nodiscard]] std::string describe() const override { return "dense sum"; }

  private:
    const Model& model_;
    std::vector<double> wavelength_;
    std::vector<double> flux_;
    std::vector<double> error_;
};

}  // namespace

std::unique_ptr<ChiSquare> make_dense_chi_square(const Model& model, std::span<const double> wavelength,
                                                 std::span<const double> flux, std::span<const double> error) {
    return std::make_unique<DenseChiSquare>(model, wavelength, flux, error);
}

}  // namespace aliquot::spectra
