#include "aliquot/io/config.hpp"

// The parser asserts, or lets the compiler assume, what a malformed file such as "[.a]" breaks; without both it reports the
// fault.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <type_traits>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/atomic_file.hpp"

namespace aliquot::io {

struct Config::Document {
    std::string name;
    std::filesystem::path directory;
    std::string text;
    toml::table root;
    std::map<std::string, std::set<std::string, std::less<>>, std::less<>> asked;  ///< keys asked for, by path of their table

    [[nodiscard]] std::string where(const toml::node* node) const {
        if (node == nullptr || !node->source().path) return name;
        const toml::source_region& source = node->source();
        return *source.path == name ? format("{}:{}", name, source.begin.line) : *source.path;
    }
    void check_used(const toml::table& table, const std::string& path) const;
};

namespace {

std::string join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + '.' + std::string(key);
}

std::string element(const std::string& path, std::size_t index) {
    return format("{}[{}]", path, index);
}

std::string in_table(const std::string& path) {
    return path.empty() ? " at the top level" : " in [" + path + "]";
}

const char* type_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "an array";
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a number with a fraction";
        case toml::node_type::boolean:
            return "true/false";
        default:
            return "a date or time";
    }
}

const toml::table* as_table(const void* node) {
    return static_cast<const toml::table*>(node);
}

bool convert(const toml::node& node, double& value) {
    if (!node.is_number()) return false;
    value = node.is_integer() ? static_cast<double>(node.as_integer()->get()) : node.as_floating_point()->get();
    return true;
}
template <typename T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
bool convert(const toml::node& node, T& value) {
    if (!node.is_integer()) return false;
    const std::int64_t number = node.as_integer()->get();
    if (!std::in_range<T>(number)) return false;
    value = static_cast<T>(number);
    return true;
}
bool convert(const toml::node& node, bool& value) {
    if (!node.is_boolean()) return false;
    value = node.as_boolean()->get();
    return true;
}
bool convert(const toml::node& node, std::string& value) {
    if (!node.is_string()) return false;
    value = node.as_string()->get();
    return true;
}
template <typename T>
bool convert(const toml::node& node, std::vector<T>& values) {
    if (!node.is_array()) return false;
    std::vector<T> read;
    for (const toml::node& item : *node.as_array()) {
        T value{};
        if (!convert(item, value)) return false;
        read.push_back(std::move(value));
    }
    values = std::move(read);
    return true;
}

constexpr const char* expected(const double&) {
    return "a number";
}
constexpr const char* expected(const int&) {
    return "an integer";
}
constexpr const char* expected(const std::int64_t&) {
    return "an integer";
}
constexpr const char* expected(const std::size_t&) {
    return "an integer that is not negative";
}
constexpr const char* expected(const bool&) {
    return "true or false";
}
constexpr const char* expected(const std::string&) {
    return "a string";
}
constexpr const char* expected(const std::vector<double>&) {
    return "an array of numbers";
}
constexpr const char* expected(const std::vector<std::string>&) {
    return "an array of strings";
}
constexpr const char* expected(const std::vector<std::int64_t>&) {
    return "an array of integers";
}
constexpr const char* expected(const std::vector<bool>&) {
    return "an array of true/false";
}
constexpr const char* expected(const std::vector<std::vector<double>>&) {
    return "an array of arrays of numbers";
}

/// What was found, with the value itself where it is short.
std::string describe(const toml::node& node) {
    std::string text = type_name(node);
    if (node.is_integer()) text += format(" ({})", node.as_integer()->get());
    if (node.is_floating_point()) text += format(" ({})", node.as_floating_point()->get());
    if (node.is_string() && node.as_string()->get().size() <= 40) text += format(" (\"{}\")", node.as_string()->get());
    if (node.is_array()) text += format(" of {} values", node.as_array()->size());
    return text;
}

template <typename Document, typename T>
bool load_value(Document& document, const void* table, const std::string& path, std::string_view key, T& value) {
    document.asked[path].emplace(key);
    const toml::node* node = table == nullptr ? nullptr : as_table(table)->get(key);
    if (node == nullptr) return false;
    if (!convert(*node, value))
        throw ConfigError(format("{}: {} is {} (expected {}): correct the value", document.where(node), join(path, key),
                                 describe(*node), expected(value)));
    return true;
}

/// The segments of a dotted path; quoted ones may hold dots.
std::vector<std::string> split_path(std::string_view path, std::string_view assignment) {
    std::vector<std::string> segments(1);
    bool quoted = false;
    for (const char c : path) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == '.' && !quoted) {
            segments.emplace_back();
        } else if (quoted || (c != ' ' && c != '\t')) {
            segments.back() += c;
        }
    }
    for (const std::string& segment : segments) {
        if (segment.empty() || quoted)
            throw ConfigError(format("--set {}: no key before \"=\": write key=value, as in sampler.nlive=400", assignment));
    }
    return segments;
}

toml::table parse_toml(std::string_view text, const std::string& name) {
    try {
        return toml::parse(text, name);
    } catch (const toml::parse_error& error) {
        throw ConfigError(format("{}:{}:{}: not TOML ({}): correct the line", name, error.source().begin.line,
                                 error.source().begin.column, std::string(error.description())));
    }
}

/// The value of an override as a one-key table {value = ...}.
toml::table parse_override(std::string_view value, std::string_view assignment) {
    const std::string name = "--set " + std::string(assignment);
    const char first = value.empty() ? '\0' : value.front();
    const bool structured = first == '[' || first == '{' || first == '"' || first == '\'';
    try {
        toml::table table = toml::parse("value = " + std::string(value), name);
        const toml::node* node = table.get("value");
        if (table.size() == 1 && !node->is_date() && !node->is_time() && !node->is_date_time()) return table;
    } catch (const toml::parse_error& error) {
        if (structured)
            throw ConfigError(format("{}: not a TOML value ({}): correct it", name, std::string(error.description())));
    }
    toml::table table = toml::parse("value = ''", name);
    table["value"].as_string()->get() = std::string(value);
    return table;
}

}  // namespace

void Config::Document::check_used(const toml::table& table, const std::string& path) const {
    static const std::set<std::string, std::less<>> nothing;
    const auto found = asked.find(path);
    const auto& known = found == asked.end() ? nothing : found->second;
    for (const auto& [key, node] : table) {
        const std::string key_text(key.str());
        const std::string full = join(path, key_text);
        if (!known.contains(key_text)) {
            const std::vector<std::string> candidates(known.begin(), known.end());
            throw ConfigError(
                format("{}: unknown key \"{}\"{}{}", where(&node), key_text, in_table(path), suggest(key_text, candidates)));
        }
        if (const toml::table* inner = node.as_table()) check_used(*inner, full);
        if (const toml::array* array = node.as_array()) {
            for (std::size_t i = 0; i < array->size(); ++i) {
                if (const toml::table* inner = array->get(i)->as_table()) check_used(*inner, element(full, i));
            }
        }
    }
}

Config Config::parse_file(const std::filesystem::path& path) {
    Config config = parse(read_file(path), path.string());
    config.document_->directory = path.parent_path();
    return config;
}

Config Config::parse(std::string_view text, const std::string& name) {
    auto document = std::make_shared<Document>();
    document->name = name;
    document->text = text;
    document->root = parse_toml(text, name);
    return Config(std::move(document));
}

void Config::set(std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos)
        throw ConfigError(format("--set {}: no \"=\": write key=value, as in sampler.nlive=400", assignment));
    const std::vector<std::string> segments = split_path(assignment.substr(0, equals), assignment);
    std::string_view text = assignment.substr(equals + 1);
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    toml::table holder = parse_override(text, assignment);

    toml::node* place = &document_->root;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string& segment = segments[i];
        const bool last = i + 1 == segments.size();
        if (toml::table* table = place->as_table()) {
            if (last) {
                holder.get("value")->visit([&](auto& value) { table->insert_or_assign(segment, std::move(value)); });
                return;
            }
            if (table->get(segment) == nullptr) table->insert(segment, toml::table{});
            place = table->get(segment);
        } else if (toml::array* array = place->as_array()) {
            std::size_t index = array->size();
            std::from_chars(segment.data(), segment.data() + segment.size(), index);
            if (index >= array->size())
                throw ConfigError(
                    format("--set {}: there is no element \"{}\" (the array has {}, counted from 0): correct the path",
                           assignment, segment, array->size()));
            if (last) {
                holder.get("value")->visit(
                    [&](auto& value) { array->replace(array->cbegin() + static_cast<std::ptrdiff_t>(index), std::move(value)); });
                return;
            }
            place = array->get(index);
        } else {
            throw ConfigError(format("--set {}: \"{}\" is {} (it holds no keys): correct the path", assignment, segments[i - 1],
                                     type_name(*place)));
        }
    }
}

ConfigTable Config::root() const {
    return {document_, &document_->root, ""};
}

void Config::check_all_used() const {
    document_->check_used(document_->root, "");
}

const std::filesystem::path& Config::directory() const {
    return document_->directory;
}

const std::string& Config::text() const {
    return document_->text;
}

std::string Config::to_toml() const {
    std::ostringstream out;
    out << toml::toml_formatter(document_->root) << '\n';
    return out.str();
}

ConfigKind ConfigTable::kind(std::string_view key) const {
    document_->asked[path_].emplace(key);
    const toml::node* node = node_ == nullptr ? nullptr : as_table(node_)->get(key);
    if (node == nullptr) return ConfigKind::none;
    switch (node->type()) {
        case toml::node_type::table:
            return ConfigKind::table;
        case toml::node_type::array:
            return ConfigKind::array;
        case toml::node_type::string:
            return ConfigKind::string;
        case toml::node_type::integer:
            return ConfigKind::integer;
        case toml::node_type::floating_point:
            return ConfigKind::number;
        case toml::node_type::boolean:
            return ConfigKind::boolean;
        default:
            return ConfigKind::other;
    }
}

ConfigTable ConfigTable::table(std::string_view key) const {
    document_->asked[path_].emplace(key);
    const std::string path = join(path_, key);
    const toml::node* node = node_ == nullptr ? nullptr : as_table(node_)->get(key);
    if (node == nullptr) return {document_, nullptr, path};
    if (!node->is_table())
        throw ConfigError(format("{}: {} is {} (expected a table): write [{}] with keys below it", document_->where(node), path,
                                 describe(*node), path));
    return {document_, node->as_table(), path};
}

std::vector<ConfigTable> ConfigTable::tables(std::string_view key) const {
    document_->asked[path_].emplace(key);
    const std::string path = join(path_, key);
    const toml::node* node = node_ == nullptr ? nullptr : as_table(node_)->get(key);
    std::vector<ConfigTable> found;
    if (node == nullptr) return found;
    if (const toml::table* single = node->as_table()) {
        found.push_back({document_, single, path});
        return found;
    }
    const toml::array* array = node->as_array();
    const bool all_tables = array != nullptr && [&] {
        for (const toml::node& item : *array) {
            if (!item.is_table()) return false;
        }
        return true;
    }();
    if (!all_tables)
        throw ConfigError(format("{}: {} is {} (expected an array of tables): write [[{}]] once per item", document_->where(node),
                                 path, describe(*node), path));
    for (std::size_t i = 0; i < array->size(); ++i)
        found.push_back({document_, array->get(i)->as_table(), element(path, i)});
    return found;
}

std::vector<std::string> ConfigTable::keys() const {
    std::vector<std::string> names;
    if (node_ == nullptr) return names;
    for (const auto& [key, node] : *as_table(node_))
        names.emplace_back(key.str());
    return names;
}

void ConfigTable::finish() const {
    if (node_ != nullptr) document_->check_used(*as_table(node_), path_);
}

std::string ConfigTable::where(std::string_view key) const {
    const toml::table* table = as_table(node_);
    const toml::node* node = table == nullptr || key.empty() ? nullptr : table->get(key);
    return document_->where(node != nullptr ? node : static_cast<const toml::node*>(table));
}

void ConfigTable::fail(std::string_view key, const std::string& message) const {
    throw ConfigError(format("{}: {}", where(key), message));
}

void ConfigTable::fail_missing(std::string_view key) const {
    fail({}, format("{} is missing: add {} ={}", join(path_, key), key, in_table(path_)));
}

bool ConfigTable::load(std::string_view key, double& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, int& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, std::int64_t& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, std::size_t& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, bool& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, std::string& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, std::vector<double>& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, std::vector<std::string>& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, std::vector<std::int64_t>& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, std::vector<bool>& value) const {
    return load_value(*document_, node_, path_, key, value);
}
bool ConfigTable::load(std::string_view key, std::vector<std::vector<double>>& value) const {
    return load_value(*document_, node_, path_, key, value);
}

}  // namespace aliquot::io
