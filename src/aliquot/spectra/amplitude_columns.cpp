#include "aliquot/spectra/amplitude_columns.hpp"

#include <algorithm>

#include "aliquot/spectra/terms.hpp"

namespace aliquot::spectra {

namespace {

constexpr std::uint64_t points = 4;  // of the prior that are looked at

/// One term: what it is an amplitude of, and the amplitude.
struct Term {
    enum class Kind { gaussian, power, intercept, slope, broadened, dense };
    Kind kind;
    const void* of;             // template or component
    std::vector<double> shape;  // everything but the amplitude
    double amplitude;

    [[nodiscard]] bool like(const Term& other) const { return kind == other.kind && of == other.of; }
    [[nodiscard]] bool same_shape(const Term& other) const { return like(other) && shape == other.shape; }
};

/// Notes all terms of a model in order of emission.
class Terms final : public TermSink {
  public:
    void gaussian(double amplitude, double centre, double sigma) override {
        all.push_back({Term::Kind::gaussian, nullptr, {centre, sigma}, amplitude});
    }
    void power(double amplitude, double reference, double exponent) override {
        all.push_back({Term::Kind::power, nullptr, {reference, exponent}, amplitude});
    }
    void line(double intercept, double slope) override {
        all.push_back({Term::Kind::intercept, nullptr, {}, intercept});
        all.push_back({Term::Kind::slope, nullptr, {}, slope});
    }
    void broadened(const TemplateGrid& shape, double sigma_channels, double amplitude, double stretch) override {
        all.push_back({Term::Kind::broadened, &shape, {sigma_channels, stretch}, amplitude});
    }
    void dense(const Component& component, std::span<const double> values) override {
        all.push_back({Term::Kind::dense, &component, {values.begin(), values.end()}, 1.0});
    }

    std::vector<Term> all;
};

std::vector<Term> terms_at(const Model& model, const Plan& plan, std::span<const double> theta) {
    const std::vector<double> values = model.expand(theta);
    Terms terms;
    for (const std::size_t leaf : plan.groups[0])
        model.leaves()[leaf].component->emit(model.leaf_values(leaf, values), terms);
    return terms.all;
}

/// Which terms double with parameter `j`; empty where it is no amplitude.
std::vector<bool> doubled(const Model& model, const Plan& plan, std::vector<double> theta, std::size_t j,
                          const std::vector<Term>& terms) {
    theta[j] *= 2.0;
    const std::vector<Term> others = terms_at(model, plan, theta);
    if (others.size() != terms.size()) return {};
    std::vector<bool> pattern;
    for (std::size_t t = 0; t < terms.size(); ++t) {
        const bool twice = others[t].amplitude == 2.0 * terms[t].amplitude;
        const bool same = others[t].amplitude == terms[t].amplitude;
        if (!terms[t].same_shape(others[t]) || (!twice && !same)) return {};
        pattern.push_back(!same);
    }
    return pattern;
}

}  // namespace

std::vector<double> AmplitudeColumns::coefficients(std::span<const double> theta) const {
    std::vector<double> all;
    for (const auto& product : block.products) {
        double value = 1.0;
        for (const std::size_t parameter : product)
            value *= theta[block.coordinates[parameter]];
        all.push_back(value);
    }
    all.push_back(-1.0);
    return all;
}

double AmplitudeColumns::chi_square(std::span<const double> form, std::span<const double> theta) const {
    const std::vector<double> c = coefficients(theta);
    double sum = 0.0;
    for (std::size_t i = 0; i < c.size(); ++i) {
        for (std::size_t k = 0; k < c.size(); ++k)
            sum += c[i] * form[i * c.size() + k] * c[k];
    }
    return sum;
}

std::optional<AmplitudeColumns> amplitude_columns(const Model& model, const Plan& plan) {
    if (plan.groups.size() != 1) return {};
    std::vector<bool> candidate(model.dimension(), true);
    for (const auto& group : model.sorted()) {
        for (const std::size_t j : group)
            candidate[j] = false;
    }
    std::vector<Term> first;
    std::vector<std::vector<bool>> patterns(model.dimension());
    for (std::uint64_t point = 0; point < points; ++point) {
        const std::vector<double> theta = model.prior_point(point);
        const std::vector<Term> terms = terms_at(model, plan, theta);
        if (point == 0) first = terms;
        if (!std::equal(terms.begin(), terms.end(), first.begin(), first.end(),
                        [](const Term& a, const Term& b) { return a.like(b); }))
            return {};
        for (std::size_t j = 0; j < model.dimension(); ++j) {
            const std::vector<bool> pattern = doubled(model, plan, theta, j, terms);
            if (point == 0) patterns[j] = pattern;
            candidate[j] = candidate[j] && pattern == patterns[j];
        }
    }
    AmplitudeColumns columns;
    std::vector<std::vector<std::size_t>> factors(first.size());
    for (std::size_t j = 0; j < model.dimension(); ++j) {
        if (!candidate[j] || std::find(patterns[j].begin(), patterns[j].end(), true) == patterns[j].end()) continue;
        for (std::size_t t = 0; t < first.size(); ++t) {
            if (patterns[j][t]) factors[t].push_back(columns.block.coordinates.size());
        }
        columns.block.coordinates.push_back(j);
        columns.block.priors.push_back(*model.parameters()[model.free()[j]].prior);
    }
    if (columns.block.coordinates.empty()) return {};
    auto& products = columns.block.products;
    for (const auto& product : factors) {
        const auto known = std::find(products.begin(), products.end(), product);
        columns.column_of_term.push_back(static_cast<std::size_t>(known - products.begin()));
        if (known == products.end()) products.push_back(product);
    }
    return columns;
}

}  // namespace aliquot::spectra
