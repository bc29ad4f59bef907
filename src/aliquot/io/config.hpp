#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aliquot::io {

/// What a configuration key holds.
enum class ConfigKind { none, boolean, integer, number, string, array, table, other };

class ConfigTable;

/// A TOML configuration whose every key has to be understood: whoever reads asks for the keys it knows, and check_all_used()
/// refuses the file if a key was never asked for. All faults are ConfigErrors that name file and line.
class Config {
  public:
    /// Read a file. DataError (no_input) where it cannot be opened, ConfigError with line and column where it is not TOML.
    [[nodiscard]] static Config parse_file(const std::filesystem::path& path);
    /// Parse a text; `name` stands for the file in messages, relative paths are taken from the working directory.
    [[nodiscard]] static Config parse(std::string_view text, const std::string& name);

    /// Override or add one key: "sampler.nlive=400". The value is read as TOML, a bare word as a string; a number in the path
    /// picks an element of an array, counted from 0: "model.component.1.fixed.dv=true".
    void set(std::string_view assignment);

    /// The top table.
    [[nodiscard]] ConfigTable root() const;
    /// Refuse keys that nobody asked for, naming the nearest one somebody did ask for in that table.
    void check_all_used() const;

    /// The file's directory, to which the paths written in it are relative.
    [[nodiscard]] const std::filesystem::path& directory() const;
    /// The text as it was read, without overrides.
    [[nodiscard]] const std::string& text() const;
    /// The configuration with its overrides as TOML, for a result to keep.
    [[nodiscard]] std::string to_toml() const;

  private:
    friend class ConfigTable;
    struct Document;
    explicit Config(std::shared_ptr<Document> document) : document_(std::move(document)) {}
    std::shared_ptr<Document> document_;
};

/// One table of a Config. Cheap to copy; keeps the document alive.
///
/// Values may be asked for as double (integers count as numbers), int, std::int64_t, std::size_t, bool, std::string, vectors of
/// double, std::string, std::int64_t or bool, and vectors of vectors of double.
class ConfigTable {
  public:
    /// The key's value, or nothing where the key is not there. ConfigError where it is of another type.
    template <typename T>
    [[nodiscard]] std::optional<T> find(std::string_view key) const {
        T value{};
        return load(key, value) ? std::optional<T>(std::move(value)) : std::nullopt;
    }
    /// The key's value or a default.
    template <typename T>
    [[nodiscard]] T get(std::string_view key, T otherwise) const {
        load(key, otherwise);
        return otherwise;
    }
    /// The key's value; ConfigError where it is missing.
    template <typename T>
    [[nodiscard]] T require(std::string_view key) const {
        T value{};
        if (!load(key, value)) fail_missing(key);
        return value;
    }

    /// What the key holds; `none` where it is not there. For keys that may be written in several ways.
    [[nodiscard]] ConfigKind kind(std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const { return kind(key) != ConfigKind::none; }
    /// A table within; an empty one where the key is missing.
    [[nodiscard]] ConfigTable table(std::string_view key) const;
    /// An array of tables ([[key]]), empty where the key is missing. A single [key] counts as an array of one.
    [[nodiscard]] std::vector<ConfigTable> tables(std::string_view key) const;
    /// The keys that are there, in alphabetical order; for tables whose keys are names the user chose. Does not count as asking
    /// for them.
    [[nodiscard]] std::vector<std::string> keys() const;

    /// Refuse keys of this table (and of the tables within that were asked for) that nobody asked for.
    void finish() const;
    /// "fit.toml:12" of the key, or of the table where the key is empty or not there.
    [[nodiscard]] std::string where(std::string_view key = {}) const;
    /// Throw a ConfigError that begins with where(key).
    [[noreturn]] void fail(std::string_view key, const std::string& message) const;
    /// The dotted path of this table ("model.component[1]"), "" for the top one.
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    friend class Config;
    ConfigTable(std::shared_ptr<Config::Document> document, const void* node, std::string path)
        : document_(std::move(document)), node_(node), path_(std::move(path)) {}

    bool load(std::string_view key, double& value) const;
    bool load(std::string_view key, int& value) const;
    bool load(std::string_view key, std::int64_t& value) const;
    bool load(std::string_view key, std::size_t& value) const;
    bool load(std::string_view key, bool& value) const;
    bool load(std::string_view key, std::string& value) const;
    bool load(std::string_view key, std::vector<double>& value) const;
    bool load(std::string_view key, std::vector<std::string>& value) const;
    bool load(std::string_view key, std::vector<std::int64_t>& value) const;
    bool load(std::string_view key, std::vector<bool>& value) const;
    bool load(std::string_view key, std::vector<std::vector<double>>& value) const;
    [[noreturn]] void fail_missing(std::string_view key) const;

    std::shared_ptr<Config::Document> document_;
    const void* node_;  ///< the parser's table, null where the file has none
    std::string path_;
};

}  // namespace aliquot::io
