#include "aliquot/infer/chain_files.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/infer/posterior.hpp"
#include "aliquot/io/atomic_file.hpp"

namespace aliquot::infer {

namespace {

constexpr double polychord_no_birth = -1e30;
constexpr double lightest_weight = 1e-12;

std::filesystem::path with_ending(const std::filesystem::path& root, const char* ending) {
    std::filesystem::path path = root;
    path += ending;
    return path;
}

/// The name as one word.
std::string word(const std::string& name) {
    std::string text = name;
    std::replace_if(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\t'; }, '_');
    return text;
}

std::string label(const std::string& name) {
    std::string text;
    for (const char c : word(name)) {
        if (c == '_') text += '\\';
        text += c;
    }
    return format("\\mathrm{{{}}}", text);
}

/// Numbers of one line, each with the digits that make it unique.
std::string joined(std::span<const double> values, char separator) {
    std::string line;
    for (const double value : values) {
        if (!line.empty()) line += separator;
        line += format("{}", value);
    }
    return line;
}

/// Parameters and derived quantities of one sample.
std::vector<double> row_of(const NestedResult& run, const std::vector<DerivedChain>& derived, std::size_t sample) {
    const auto row = run.samples.row(sample);
    std::vector<double> values(row.begin(), row.end());
    for (const DerivedChain& chain : derived)
        values.push_back(chain.values[sample]);
    return values;
}

std::filesystem::path write_names(const std::vector<ChainParameter>& parameters, const std::vector<DerivedChain>& derived,
                                  const std::filesystem::path& root) {
    std::string text;
    for (const ChainParameter& parameter : parameters)
        text += format("{}\t{}\n", word(parameter.name), label(parameter.name));
    for (const DerivedChain& chain : derived)
        text += format("{}*\t{}\n", word(chain.name), label(chain.name));
    std::filesystem::path path = with_ending(root, ".paramnames");
    io::write_file(path, text);
    return path;
}

}  // namespace

std::vector<std::filesystem::path> write_polychord(const NestedResult& run, const std::vector<ChainParameter>& parameters,
                                                   const std::vector<DerivedChain>& derived, const std::filesystem::path& root) {
    ALIQUOT_EXPECT(parameters.size() == run.dimension);
    const std::filesystem::path path = with_ending(root, "_dead-birth.txt");
    io::AtomicFile file(path);
    for (std::size_t i = 0; i < run.samples.rows(); ++i) {
        const double birth = std::isfinite(run.log_birth[i]) ? run.log_birth[i] : polychord_no_birth;
        file.write(format("{} {} {}\n", joined(row_of(run, derived, i), ' '), run.log_likelihood[i], birth));
    }
    file.commit();
    return {path, write_names(parameters, derived, root)};
}

std::vector<std::filesystem::path> write_getdist(const NestedResult& run, const std::vector<ChainParameter>& parameters,
                                                 const std::vector<DerivedChain>& derived, const std::filesystem::path& root) {
    ALIQUOT_EXPECT(parameters.size() == run.dimension);
    const std::filesystem::path path = with_ending(root, ".txt");
    const double heaviest = *std::max_element(run.log_weight.begin(), run.log_weight.end());
    io::AtomicFile file(path);
    for (std::size_t i = 0; i < run.samples.rows(); ++i) {
        const double weight = std::exp(run.log_weight[i] - heaviest);
        if (weight < lightest_weight) continue;
        file.write(format("{} {} {}\n", weight, -run.log_likelihood[i], joined(row_of(run, derived, i), ' ')));
    }
    file.commit();
    std::string ranges;
    for (const ChainParameter& parameter : parameters)
        ranges += format("{} {} {}\n", word(parameter.name), parameter.lower, parameter.upper);
    for (const DerivedChain& chain : derived)
        ranges += format("{} N N\n", word(chain.name));
    const std::filesystem::path range_path = with_ending(root, ".ranges");
    io::write_file(range_path, ranges);
    return {path, write_names(parameters, derived, root), range_path};
}

std::vector<std::filesystem::path> write_equal_weight_csv(const NestedResult& run, const std::vector<ChainParameter>& parameters,
                                                          const std::vector<DerivedChain>& derived,
                                                          const std::filesystem::path& root) {
    ALIQUOT_EXPECT(parameters.size() == run.dimension);
    const std::filesystem::path path = with_ending(root, "_equal.csv");
    io::AtomicFile file(path);
    std::string names;
    for (const ChainParameter& parameter : parameters)
        names += (names.empty() ? "" : ",") + word(parameter.name);
    for (const DerivedChain& chain : derived)
        names += "," + word(chain.name);
    file.write(names + "\n");
    const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(effective_samples(run.log_weight)));
    for (const std::size_t row : equal_weight_rows(run.log_weight, count, run.seed))
        file.write(joined(row_of(run, derived, row), ',') + "\n");
    file.commit();
    return {path};
}

}  // namespace aliquot::infer
