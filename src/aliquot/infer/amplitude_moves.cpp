#include "aliquot/infer/amplitude_moves.hpp"

#include <algorithm>
#include <cmath>

#include "aliquot/infer/slice_bracket.hpp"

namespace aliquot::infer {

namespace {

// Of one round, per parameter and in all.
constexpr std::size_t slices_for_three = 4;
constexpr int sweeps = 2;

}  // namespace

AmplitudeMoves::AmplitudeMoves(const AmplitudeBlock& block)
    : block_(block),
      columns_of_(block.coordinates.size()),
      values_(block.coordinates.size()),
      coefficients_(block.products.size() + 1, -1.0),
      gradient_(block.products.size() + 1),
      partial_(block.products.size()),
      direction_(block.coordinates.size()),
      trial_(block.coordinates.size()) {
    for (std::size_t column = 0; column < block.products.size(); ++column) {
        for (const std::size_t parameter : block.products[column])
            columns_of_[parameter].push_back(column);
    }
}

void AmplitudeMoves::round(const AmplitudeRegion& region, RandomStream& random, std::span<double> unit) {
    if (!(form_at(region, unit) < region.bound)) return;
    const std::size_t slices = (slices_for_three * unit.size() + 2) / 3;
    for (std::size_t i = 0; i < slices; ++i)
        slice(region, random, unit);
    for (int i = 0; i < sweeps; ++i)
        sweep(region, random, unit);
}

double AmplitudeMoves::form_at(const AmplitudeRegion& region, std::span<const double> unit) {
    for (std::size_t j = 0; j < unit.size(); ++j)
        values_[j] = block_.priors[j].transform(unit[j]);
    const std::size_t columns = block_.products.size();
    for (std::size_t column = 0; column < columns; ++column) {
        double product = 1.0;
        for (const std::size_t parameter : block_.products[column])
            product *= values_[parameter];
        coefficients_[column] = product;
    }
    double total = 0.0;
    for (std::size_t i = 0; i <= columns; ++i) {
        const double* row = region.form.data() + i * (columns + 1);
        double sum = 0.0;
        for (std::size_t k = 0; k < i; ++k)
            sum += row[k] * coefficients_[k];
        total += coefficients_[i] * (2.0 * sum + row[i] * coefficients_[i]);
    }
    return total;
}

void AmplitudeMoves::slice(const AmplitudeRegion& region, RandomStream& random, std::span<double> unit) {
    // Any law of directions that is symmetric and does not look at the point will do.
    double norm2 = 0.0;
    for (double& z : trial_) {
        z = 2.0 * random.uniform() - 1.0;
        norm2 += z * z;
    }
    const double scale = 1.0 / std::sqrt(norm2);
    const double* row = region.factor.data();
    for (std::size_t i = 0; i < unit.size(); ++i, row += region.stride) {
        double sum = 0.0;
        for (std::size_t j = 0; j <= i; ++j)
            sum += row[j] * trial_[j];
        direction_[i] = sum * scale;
    }
    SliceBracket bracket = SliceBracket::around(unit, direction_, region.bracket, random);
    for (int shrinks = 0; shrinks < most_shrinks; ++shrinks) {
        const double at = bracket.draw(random);
        step_along(unit, direction_, at, trial_);
        if (form_at(region, trial_) < region.bound) {
            std::copy(trial_.begin(), trial_.end(), unit.begin());
            return;
        }
        bracket.shrink(at);
    }
}

void AmplitudeMoves::sweep(const AmplitudeRegion& region, RandomStream& random, std::span<double> unit) {
    double form = form_at(region, unit);
    const std::size_t size = coefficients_.size();
    for (std::size_t i = 0; i < size; ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < size; ++k)
            sum += region.form[i * size + k] * coefficients_[k];
        gradient_[i] = sum;
    }
    for (std::size_t j = 0; j < unit.size(); ++j) {
        // Along parameter j the form is form + x (2 slope + x curvature), x the change of the parameter.
        const auto& columns = columns_of_[j];
        double slope = 0.0;
        double curvature = 0.0;
        for (std::size_t a = 0; a < columns.size(); ++a) {
            double product = 1.0;
            for (const std::size_t other : block_.products[columns[a]])
                product *= other == j ? 1.0 : values_[other];
            partial_[a] = product;
            slope += product * gradient_[columns[a]];
            const double* row = region.form.data() + columns[a] * size;
            curvature += product * product * row[columns[a]];
            for (std::size_t b = 0; b < a; ++b)
                curvature += 2.0 * product * partial_[b] * row[columns[b]];
        }
        double low = 0.0;
        double high = 1.0;
        if (curvature > 0.0) {
            const double root = std::sqrt(std::max(0.0, slope * slope - curvature * (form - region.bound)));
            low = block_.priors[j].cdf(values_[j] + (-slope - root) / curvature);
            high = block_.priors[j].cdf(values_[j] + (-slope + root) / curvature);
        }
        const double moved = low + (high - low) * random.uniform();
        const double change = block_.priors[j].transform(moved) - values_[j];
        const double moved_form = form + change * (2.0 * slope + change * curvature);
        if (!(moved_form < region.bound)) continue;  // by rounding, on the edge
        form = moved_form;
        unit[j] = moved;
        values_[j] += change;
        for (std::size_t a = 0; a < columns.size(); ++a) {
            const double step = change * partial_[a];
            for (std::size_t i = 0; i < size; ++i)
                gradient_[i] += step * region.form[i * size + columns[a]];
        }
    }
}

}  // namespace aliquot::infer
