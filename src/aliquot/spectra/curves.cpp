#include <algorithm>

#include "aliquot/spectra/fit.hpp"

namespace aliquot::spectra {

namespace {

/// Product of the factors that surround each component: walk the expression with the value of every subexpression at hand and,
/// for each product, multiply all components of one side by the other side's value.
std::vector<std::vector<double>> surrounding_factors(const Model& model, const std::vector<std::vector<double>>& leaf_flux) {
    struct Node {
        std::vector<std::size_t> leaves;
        std::vector<double> flux;
    };
    std::vector<std::vector<double>> factors(leaf_flux.size(), std::vector<double>(leaf_flux.front().size(), 1.0));
    std::vector<Node> stack;
    for (const ExpressionOp& op : model.expression()) {
        if (op.kind == ExpressionOp::Kind::component) {
            stack.push_back({{op.component}, leaf_flux[op.component]});
            continue;
        }
        const Node right = std::move(stack.back());
        stack.pop_back();
        Node& left = stack.back();
        const bool product = op.kind == ExpressionOp::Kind::multiply;
        const auto scale = [&](const std::vector<std::size_t>& leaves, const std::vector<double>& by) {
            for (const std::size_t leaf : leaves) {
                for (std::size_t i = 0; i < by.size(); ++i)
                    factors[leaf][i] *= by[i];
            }
        };
        if (product) {
            scale(left.leaves, right.flux);
            scale(right.leaves, left.flux);
        }
        for (std::size_t i = 0; i < left.flux.size(); ++i)
            left.flux[i] = product ? left.flux[i] * right.flux[i] : left.flux[i] + right.flux[i];
        left.leaves.insert(left.leaves.end(), right.leaves.begin(), right.leaves.end());
    }
    return factors;
}

void multiply(std::vector<double>& flux, const std::vector<double>& factor) {
    std::transform(flux.begin(), flux.end(), factor.begin(), flux.begin(), [](double a, double b) { return a * b; });
}

}  // namespace

Curve model_curve(const Model& model, const std::vector<double>& theta, const std::vector<double>& wavelength) {
    Curve curve{"model", "model", std::vector<double>(wavelength.size()), {}};
    model.evaluate(wavelength, model.expand(theta), curve.flux);
    return curve;
}

std::vector<Curve> component_curves(const Model& model, const std::vector<double>& theta, const std::vector<double>& wavelength) {
    const std::vector<double> values = model.expand(theta);
    std::vector<std::vector<double>> leaf_flux;
    for (std::size_t leaf = 0; leaf < model.leaves().size(); ++leaf) {
        leaf_flux.emplace_back(wavelength.size());
        model.leaves()[leaf].component->evaluate(wavelength, model.leaf_values(leaf, values), leaf_flux.back());
    }
    const auto factors = surrounding_factors(model, leaf_flux);
    std::vector<Curve> curves;
    for (std::size_t leaf = 0; leaf < leaf_flux.size(); ++leaf) {
        const Model::Leaf& source = model.leaves()[leaf];
        Curve curve{source.name, source.label, std::move(leaf_flux[leaf]), {}};
        multiply(curve.flux, factors[leaf]);
        for (const ComponentPart& part : source.component->parts(model.leaf_values(leaf, values))) {
            Curve sub{
                source.name + ": " + part.name, source.label + ": " + part.name, std::vector<double>(wavelength.size()), {}};
            part.component->evaluate(wavelength, part.values, sub.flux);
            multiply(sub.flux, factors[leaf]);
            curve.parts.push_back(std::move(sub));
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

}  // namespace aliquot::spectra
