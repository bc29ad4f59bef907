#include <algorithm>
#include <array>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/io/fits.hpp"
#include "aliquot/io/hdf5.hpp"
#include "aliquot/summary/array_files.hpp"

namespace aliquot::summary {

namespace {

/// Rows of an HDF5 dataset that the library must unpack (chunked, filtered).
class Hdf5Source final : public ChunkSource {
  public:
    Hdf5Source(std::shared_ptr<io::Hdf5Reader> file, io::Hdf5Dataset set) : file_(std::move(file)), set_(std::move(set)) {}
    [[nodiscard]] std::size_t rows() const override { return set_.shape[0]; }
    [[nodiscard]] std::size_t draws() const override { return set_.shape[1]; }
    [[nodiscard]] bool blocks_in_any_order() const override { return false; }
    [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_; }
    void read(std::size_t first, std::size_t count, float* out) override {
        file_->read(set_.path, first, count, out);
        bytes_ += count * set_.shape[1] * set_.type.bytes;
    }

  private:
    std::shared_ptr<io::Hdf5Reader> file_;
    io::Hdf5Dataset set_;
    std::uint64_t bytes_ = 0;
};

class Hdf5Index final : public FrameIndex {
  public:
    Hdf5Index(const std::string& path, std::string time, std::string unit, std::size_t rows)
        : file_(path), time_(std::move(time)), unit_(std::move(unit)), rows_(rows) {
        for (const std::string& name : {time_, unit_}) {
            const io::Hdf5Dataset set = file_.describe(name);
            if (set.type.kind == io::NumberKind::floating || set.shape != std::vector<std::size_t>{rows})
                throw DataError(
                    format("{}, dataset {}: not {} integers (one per row is expected): write it again", path, name, rows));
        }
    }
    [[nodiscard]] std::size_t rows() const override { return rows_; }
    void read(std::size_t first, std::span<std::int64_t> times, std::span<std::int64_t> units) const override {
        if (!times.empty()) file_.read(time_, first, times.size(), times.data());
        if (!units.empty()) file_.read(unit_, first, units.size(), units.data());
    }

  private:
    io::Hdf5Reader file_;
    std::string time_;
    std::string unit_;
    std::size_t rows_;
};

io::Hdf5Dataset choose_dataset(const io::Hdf5Reader& file, const std::string& path, const std::string& wanted) {
    if (!wanted.empty()) return file.describe(wanted);
    std::vector<io::Hdf5Dataset> found;
    for (const std::string& name : file.datasets()) {
        io::Hdf5Dataset set = file.describe(name);
        if (set.shape.size() == 2) found.push_back(std::move(set));
    }
    if (found.size() != 1)
        throw DataError(format("{}: {} two-dimensional datasets (one could be guessed): name one, as in {}:/group/values", path,
                               found.size(), path));
    return found[0];
}

StridedArray in_fits(const std::string& path, const io::FitsArray& place, bool rows_are_draws) {
    StridedArray array;
    array.file = std::make_shared<io::InputFile>(path);
    array.type = place.type;
    array.offset = place.offset;
    array.rows = rows_are_draws ? place.columns : place.rows;
    array.draws = rows_are_draws ? place.rows : place.columns;
    array.row_stride = rows_are_draws ? place.type.bytes : place.row_stride;
    array.draw_stride = rows_are_draws ? place.row_stride : place.type.bytes;
    if (array.rows == 0 || array.draws == 0)
        throw DataError(format("{}: no rows or no draws (the array is empty): there is nothing to summarise", path));
    return array;
}

}  // namespace

Frame open_hdf5(const std::string& path, const std::string& dataset, const FrameOptions& options) {
    auto file = std::make_shared<io::Hdf5Reader>(path);
    const io::Hdf5Dataset set = choose_dataset(*file, path, dataset);
    if (set.shape.size() != 2 || set.shape[0] == 0 || set.shape[1] == 0)
        throw DataError(format("{}, dataset {}: {} dimensions or an empty one (rows and draws are expected): name another", path,
                               set.path, set.shape.size()));
    Frame frame;
    const bool draws_last = options.sample_axis == SampleAxis::last;
    if (set.offset) {
        StridedArray array;
        array.file = std::make_shared<io::InputFile>(path);
        array.type = set.type;
        array.offset = *set.offset;
        array.rows = set.shape[draws_last ? 0 : 1];
        array.draws = set.shape[draws_last ? 1 : 0];
        array.row_stride = draws_last ? array.draws * set.type.bytes : set.type.bytes;
        array.draw_stride = draws_last ? set.type.bytes : array.rows * set.type.bytes;
        frame.source = make_strided_source(array);
    } else if (draws_last) {
        frame.source = std::make_unique<Hdf5Source>(file, set);
    } else {
        throw DataError(
            format("{}, dataset {}: chunked with the sample axis first (it cannot be transposed in bounded memory): "
                   "write it contiguous, or with the sample axis last",
                   path, set.path));
    }
    const std::string group = set.path.substr(0, set.path.rfind('/') + 1);
    const auto known = file->datasets();
    const auto has = [&](const std::string& name) { return std::ranges::find(known, name) != known.end(); };
    if (has(group + "time") && has(group + "unit")) {
        frame.index = std::make_unique<Hdf5Index>(path, group + "time", group + "unit", frame.source->rows());
        frame.level = guess_level(*frame.index);
    }
    return frame;
}

Frame open_fits(const std::string& path, const std::string& part, const FrameOptions& options) {
    const io::FitsReader file(path);
    Frame frame;
    const bool draws_first = options.sample_axis == SampleAxis::first;
    if (const auto posterior = file.find("SAMPLES_EQ"); part.empty() && posterior && file.find("FULL_PARAM")) {
        frame.source = make_strided_source(in_fits(path, file.place(*posterior), true));
        frame.labels = file.column_strings(file.require("FULL_PARAM"), "FULL_PARAM_NAME");
        if (frame.labels.size() != frame.source->rows())
            throw DataError(format("{}: {} parameters and {} names (the file is damaged): run the fit again", path,
                                   frame.source->rows(), frame.labels.size()));
        return frame;
    }
    if (!part.empty()) {
        const std::size_t slash = part.find('/');
        const std::size_t hdu = file.require(part.substr(0, slash));
        const std::string column = slash == std::string::npos ? "" : part.substr(slash + 1);
        frame.source = make_strided_source(in_fits(path, file.place(hdu, column), draws_first && column.empty()));
        return frame;
    }
    for (std::size_t hdu = 0; hdu < file.hdu_count(); ++hdu) {
        if (file.kind(hdu) != io::FitsKind::image || file.shape(hdu).size() != 2) continue;
        frame.source = make_strided_source(in_fits(path, file.place(hdu), draws_first));
        return frame;
    }
    throw DataError(format(
        "{}: no two-dimensional image (rows and draws are expected): name a column of vectors, as in {}:HDU/COLUMN", path, path));
}

}  // namespace aliquot::summary
