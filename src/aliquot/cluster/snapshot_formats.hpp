#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aliquot/cluster/snapshot.hpp"
#include "aliquot/io/atomic_file.hpp"

/// What the files of the snapshot formats share; a new format is one file, one line here and one in snapshot.cpp.
namespace aliquot::cluster::detail {

/// The seven columns, in the order of every text format.
using StarRow = std::array<double, 7>;
[[nodiscard]] StarRow row_of(const Stars& stars, std::size_t i);
/// Append a row after checking it; `place` ("file:line") begins the message of a DataError.
void append_row(Stars& stars, const StarRow& row, const std::string& place);

/// Appends the shortest text that reads back as the same double.
void append_number(std::string& text, double value);

/// A header's facts as "key = value" lines: units, G, stars, binaries, r_v, mean mass, description.
[[nodiscard]] std::vector<std::string> header_lines(const SnapshotHeader& header);
/// The inverse, for one line; other lines are left alone. Returns whether the line named the units.
bool read_header_line(std::string_view line, SnapshotHeader& header);

/// Writes rows of text: a file that fills block by block.
class TextSink : public StarSink {
  public:
    /// `separator` between columns, `tail` after the last one of each row; `%` in it becomes the star's number from 1.
    TextSink(const std::filesystem::path& path, const SnapshotHeader& header, const UnitChange& change, char separator,
             std::string tail = "");
    void write(const Stars& block) override;
    void finish() override;

  protected:
    void write_text(std::string_view text) { file_.write(text); }
    [[nodiscard]] const SnapshotHeader& header() const { return header_; }
    /// Called by finish() before the file is put in its place.
    virtual void write_companion() {}

  private:
    SnapshotHeader header_;
    UnitChange change_;
    char separator_;
    std::string tail_;
    std::size_t written_ = 0;
    std::string buffer_;
    io::AtomicFile file_;
};

/// Reads a text line by line in constant memory.
class LineReader {
  public:
    /// DataError (no input) where the file cannot be opened.
    explicit LineReader(std::filesystem::path path);
    ~LineReader();
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    /// The next line without its end; false after the last.
    bool next(std::string& line);
    /// Give the line just read once more.
    void put_back() { again_ = true; }
    /// "file:line" of the line just read.
    [[nodiscard]] std::string place() const;

  private:
    std::filesystem::path path_;
    int descriptor_;
    std::string buffer_;
    std::size_t position_ = 0;
    std::string last_;
    std::size_t number_ = 0;
    bool ended_ = false;
    bool again_ = false;
};

/// The numbers of a line; DataError where one is none. Columns are parted by `separator`, or by blanks where that is ' '.
[[nodiscard]] std::vector<double> numbers_of(std::string_view line, char separator, const std::string& place);

/// Reads rows of text whose columns `order` sorts into mass, position, velocity; blank lines and lines that begin with # are
/// skipped.
class TextSource : public StarSource {
  public:
    [[nodiscard]] const SnapshotHeader& header() const override { return header_; }
    bool read(Stars& block) override;

  protected:
    explicit TextSource(const std::filesystem::path& path) : lines_(path) {}
    LineReader lines_;
    SnapshotHeader header_;
    char separator_ = ' ';
    std::size_t columns_ = 7;
    std::array<std::size_t, 7> order_{0, 1, 2, 3, 4, 5, 6};

  private:
    std::size_t read_ = 0;
};

/// Units for a file that does not state them: `given`, else a ConfigError that says how to give them.
[[nodiscard]] Units stated(const std::optional<Units>& given, const std::filesystem::path& path);

[[nodiscard]] std::unique_ptr<StarSink> csv_sink(const std::string& path, const std::string& format,
                                                 const SnapshotHeader& header);
[[nodiscard]] std::unique_ptr<StarSource> csv_source(const std::string& path, const std::string& format,
                                                     const std::optional<Units>& units);
[[nodiscard]] std::unique_ptr<StarSink> nbody6_sink(const std::string& path, const std::string& format,
                                                    const SnapshotHeader& header);
[[nodiscard]] std::unique_ptr<StarSource> nbody6_source(const std::string& path, const std::string& format,
                                                        const std::optional<Units>& units);
[[nodiscard]] std::unique_ptr<StarSink> petar_sink(const std::string& path, const std::string& format,
                                                   const SnapshotHeader& header);
[[nodiscard]] std::unique_ptr<StarSource> petar_source(const std::string& path, const std::string& format,
                                                       const std::optional<Units>& units);
[[nodiscard]] std::unique_ptr<StarSink> gadget_sink(const std::string& path, const std::string& format,
                                                    const SnapshotHeader& header);
[[nodiscard]] std::unique_ptr<StarSource> gadget_source(const std::string& path, const std::string& format,
                                                        const std::optional<Units>& units);

}  // namespace aliquot::cluster::detail
