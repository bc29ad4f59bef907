#include "aliquot/spectra/point_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "aliquot/spectra/components/line_gaussian.hpp"

namespace aliquot::spectra {
namespace {

/// Lines of amplitudes 1, 2, 4, ... at 5000 Angstrom and 200 km/s; their sums under `expression`.
class Lines {
  public:
    explicit Lines(const std::vector<std::string>& names, const std::string& expression = "") {
        std::vector<ComponentDefinition> definitions;
        double amplitude = 1.0;
        for (const std::string& name : names) {
            definitions.push_back({name,
                                   "",
                                   std::make_shared<LineGaussian>(),
                                   {{"amplitude", amplitude}, {"dv", 0.0}, {"sigma", 200.0}, {"wavec", 5000.0}},
                                   {},
                                   {},
                                   {},
                                   {}});
            amplitude *= 2.0;
        }
        model_ = std::make_unique<Model>(definitions, expression);
        plan_ = make_plan(model_->expression());
        values_ = model_->expand(model_->theta());
    }

    double& value(const std::string& name) { return values_[model_->find(name)]; }

    const TermSum* sums() {
        EXPECT_TRUE(terms_.bind(*model_, plan_, values_, tile_kernels(math::SimdLevel::baseline), {}, {}));
        return terms_.sums();
    }

  private:
    std::unique_ptr<Model> model_;
    Plan plan_;
    std::vector<double> values_;
    PointTerms terms_;
};

TEST(PointTerms, GaussiansThatCoincideAreOne) {
    Lines lines({"a", "b", "c"});
    const TermSum sum = lines.sums()[0];
    ASSERT_EQ(sum.gaussian_count, 1U);
    EXPECT_EQ(sum.gaussians[0].amplitude, 7.0);
    EXPECT_EQ(sum.gaussians[0].centre, 5000.0);
}

TEST(PointTerms, GaussiansThatDifferByRoundingStayApart) {
    Lines lines({"a", "b", "c", "d"});
    lines.value("b.sigma") *= 1.0 + 1e-15;
    lines.value("c.wavec") *= 1.0 + 1e-15;
    const TermSum sum = lines.sums()[0];
    ASSERT_EQ(sum.gaussian_count, 3U);
    EXPECT_EQ(sum.gaussians[0].amplitude, 9.0);
    EXPECT_EQ(sum.gaussians[1].amplitude, 2.0);
    EXPECT_EQ(sum.gaussians[2].amplitude, 4.0);
}

TEST(PointTerms, GaussiansOfDifferentFactorsStayApart) {
    Lines lines({"a", "b"}, "a * b");
    const TermSum* sums = lines.sums();
    ASSERT_EQ(sums[0].gaussian_count, 1U);
    ASSERT_EQ(sums[1].gaussian_count, 1U);
    EXPECT_EQ(sums[0].gaussians[0].amplitude + 10.0 * sums[1].gaussians[0].amplitude, 21.0);
}

/// However many lines there are, none is lost.
TEST(PointTerms, ManyGaussiansKeepTheirAmplitudes) {
    std::vector<std::string> names;
    for (int i = 0; i < 50; ++i)
        names.push_back("line" + std::to_string(i));
    Lines lines(names);
    for (int i = 0; i < 50; ++i)
        lines.value(names[static_cast<std::size_t>(i)] + ".wavec") = 5000.0 + i % 40;
    const TermSum sum = lines.sums()[0];
    double total = 0.0;
    for (std::uint32_t g = 0; g < sum.gaussian_count; ++g)
        total += sum.gaussians[g].amplitude;
    EXPECT_EQ(total, std::ldexp(1.0, 50) - 1.0);
}

}  // namespace
}  // namespace aliquot::spectra
