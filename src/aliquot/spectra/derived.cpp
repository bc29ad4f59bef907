#include "aliquot/spectra/derived.hpp"

#include <muParser.h>

#include <algorithm>
#include <cctype>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"

namespace aliquot::spectra {

namespace {

constexpr const char* name_characters = "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// An expression over the values of all parameters of a model.
class Formula {
  public:
    Formula(const DerivedDefinition& definition, const Model& model) : model_(model), values_(model.parameters().size()) {
        parser_.DefineNameChars(name_characters);
        std::vector<std::string> names;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const Parameter& parameter = model.parameters()[i];
            define(parameter.full_name, i, names);
            if (parameter.short_name != parameter.full_name) define(parameter.short_name, i, names);
        }
        try {
            parser_.SetExpr(definition.expression);
            (void)parser_.Eval();
        } catch (const mu::Parser::exception_type& error) {
            const bool unknown = error.GetCode() == mu::ecUNASSIGNABLE_TOKEN;
            throw ConfigError(format(
                "{} = \"{}\": {}", definition.name, definition.expression,
                unknown ? format("unknown name \"{}\"{}", error.GetToken(), suggest(error.GetToken(), names))
                        : format("{} (sums, products, powers and functions of parameters are understood)", error.GetMsg())));
        }
    }

    [[nodiscard]] double at(std::span<const double> theta) {
        model_.expand(theta, values_);
        return parser_.Eval();
    }

  private:
    void define(const std::string& name, std::size_t index, std::vector<std::string>& names) {
        // A name with other characters can only not be used in an expression.
        if (name.find_first_not_of(name_characters) != std::string::npos ||
            std::find(names.begin(), names.end(), name) != names.end() ||
            std::isdigit(static_cast<unsigned char>(name.front())) != 0)
            return;
        parser_.DefineVar(name, &values_[index]);
        names.push_back(name);
    }

    const Model& model_;
    std::vector<double> values_;
    mu::Parser parser_;
};

}  // namespace

std::vector<DerivedDefinition> read_derived(const io::ConfigTable& table, const Model& model) {
    std::vector<DerivedDefinition> all;
    for (const std::string& name : table.keys()) {
        DerivedDefinition definition{name, "", ""};
        if (table.kind(name) == io::ConfigKind::table) {
            const io::ConfigTable own = table.table(name);
            definition.expression = own.require<std::string>("value");
            definition.unit = own.get<std::string>("unit", "");
            own.finish();
        } else {
            definition.expression = table.require<std::string>(name);
        }
        if (!std::all_of(name.begin(), name.end(),
                         [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }))
            table.fail(name,
                       format("\"{}\" in [derived] (letters, digits and underscores make a name): write it with these", name));
        try {
            (void)Formula(definition, model);
        } catch (const ConfigError& error) {
            table.fail(name, error.what());
        }
        all.push_back(std::move(definition));
    }
    return all;
}

std::vector<double> evaluate_derived(const DerivedDefinition& definition, const Model& model, MatrixView<const double> theta) {
    Formula formula(definition, model);
    std::vector<double> values;
    for (std::size_t i = 0; i < theta.rows(); ++i)
        values.push_back(formula.at(theta.row(i)));
    return values;
}

}  // namespace aliquot::spectra
