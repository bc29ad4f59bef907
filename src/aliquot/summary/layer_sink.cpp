#include "aliquot/summary/layer_sink.hpp"

#include <array>
#include <string_view>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/io/fits.hpp"
#include "aliquot/io/hdf5.hpp"
#include "aliquot/io/npy.hpp"
#include "aliquot/io/zip.hpp"

namespace aliquot::summary {

namespace {

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// One .npy per layer, and an identifiers.npz.
class NpySink final : public LayerSink {
  public:
    NpySink(const std::filesystem::path& folder, const std::string& name, std::span<const Layer> layers, std::size_t rows)
        : name_(name), header_(io::npy_header("<i8", std::array{rows})) {
        io::ensure_directory(folder / name);
        index_ = std::make_unique<io::ZipWriter>(
            folder / name / "identifiers.npz",
            std::vector<io::ZipWriter::Member>{{"time.npy", header_.size() + 8 * rows}, {"unit.npy", header_.size() + 8 * rows}});
        index_->append(0, header_);
        index_->append(1, header_);
        for (const Layer& layer : layers) {
            files_.push_back(std::make_unique<io::AtomicFile>(folder / name / (layer.name + ".npy")));
            files_.back()->write(io::npy_header("<f4", std::array{rows}));
            names_.push_back(name + "/" + layer.name + ".npy");
        }
    }
    void append(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* layers,
                std::size_t stride) override {
        index_->append(0, bytes_of(times));
        index_->append(1, bytes_of(units));
        for (std::size_t l = 0; l < files_.size(); ++l)
            files_[l]->write(bytes_of(std::span(layers + l * stride, times.size())));
    }
    std::vector<std::string> close() override {
        index_->close();
        for (const auto& file : files_)
            file->commit();
        names_.push_back(name_ + "/identifiers.npz");
        return names_;
    }

  private:
    std::string name_;
    std::string header_;
    std::unique_ptr<io::ZipWriter> index_;
    std::vector<std::unique_ptr<io::AtomicFile>> files_;
    std::vector<std::string> names_;
};

/// One text table; ECSV is CSV under a header that states names and types.
class TextSink final : public LayerSink {
  public:
    TextSink(const std::filesystem::path& folder, std::string name, bool ecsv, std::span<const Layer> layers,
             const IndexNames& index)
        : name_(std::move(name)), file_(folder / name_) {
        std::string names = index.time + "," + index.unit;
        std::string header = format(
            "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n# - {{name: {}, datatype: int64}}\n# - "
            "{{name: {}, datatype: int64}}\n",
            index.time, index.unit);
        labels_ = index.labels;
        if (!labels_.empty()) {
            names += ",label";
            header += "# - {name: label, datatype: string}\n";
        }
        for (const Layer& layer : layers) {
            names += "," + layer.name;
            header += format("# - {{name: {}, datatype: float32}}\n", layer.name);
        }
        file_.write((ecsv ? header : "") + names + "\n");
        count_ = layers.size();
    }
    void append(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* layers,
                std::size_t stride) override {
        std::string text;
        for (std::size_t r = 0; r < times.size(); ++r) {
            text += format("{},{}", times[r], units[r]);
            if (!labels_.empty()) text += format(",\"{}\"", labels_.at(static_cast<std::size_t>(units[r])));
            for (std::size_t l = 0; l < count_; ++l)
                text += format(",{}", layers[l * stride + r]);
            text += '\n';
            if (text.size() < (std::size_t{1} << 20U)) continue;
            file_.write(text);
            text.clear();
        }
        file_.write(text);
    }
    std::vector<std::string> close() override {
        file_.commit();
        return {name_};
    }

  private:
    std::string name_;
    io::AtomicFile file_;
    std::vector<std::string> labels_;
    std::size_t count_ = 0;
};

/// One binary table in a FITS file.
class FitsSink final : public LayerSink {
  public:
    FitsSink(const std::filesystem::path& folder, std::string name, std::span<const Layer> layers, const IndexNames& index,
             std::size_t rows)
        : name_(std::move(name)), writer_(folder / name_), count_(layers.size()) {
        std::vector<io::FitsColumnType> columns{{index.time, 'K'}, {index.unit, 'K'}};
        for (const Layer& layer : layers)
            columns.push_back({layer.name, 'E'});
        writer_.begin_table("LAYERS", columns, rows);
    }
    void append(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* layers,
                std::size_t stride) override {
        writer_.put(0, done_, times);
        writer_.put(1, done_, units);
        for (std::size_t l = 0; l < count_; ++l)
            writer_.put(l + 2, done_, std::span(layers + l * stride, times.size()));
        done_ += times.size();
    }
    std::vector<std::string> close() override {
        writer_.close();
        return {name_};
    }

  private:
    std::string name_;
    io::FitsWriter writer_;
    std::size_t count_;
    std::size_t done_ = 0;
};

/// One dataset per column in an HDF5 file.
class Hdf5Sink final : public LayerSink {
  public:
    Hdf5Sink(const std::filesystem::path& folder, std::string name, std::span<const Layer> layers, const IndexNames& index,
             std::size_t rows)
        : name_(std::move(name)), writer_(folder / name_) {
        writer_.column(index.time, io::Hdf5Writer::Type::int64, rows);
        writer_.column(index.unit, io::Hdf5Writer::Type::int64, rows);
        for (const Layer& layer : layers)
            writer_.column(layer.name, io::Hdf5Writer::Type::float32, rows);
        count_ = layers.size();
    }
    void append(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* layers,
                std::size_t stride) override {
        writer_.put(0, done_, times.data(), times.size());
        writer_.put(1, done_, units.data(), units.size());
        for (std::size_t l = 0; l < count_; ++l)
            writer_.put(l + 2, done_, layers + l * stride, times.size());
        done_ += times.size();
    }
    std::vector<std::string> close() override {
        writer_.close();
        return {name_};
    }

  private:
    std::string name_;
    io::Hdf5Writer writer_;
    std::size_t count_ = 0;
    std::size_t done_ = 0;
};

}  // namespace

OutputFormat parse_output_format(const std::string& name) {
    const std::vector<std::string> known{"npy", "csv", "ecsv", "hdf5", "fits"};
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i] == name) return static_cast<OutputFormat>(i);
    }
    throw ConfigError(format("format = {} (no such output format){}", name, suggest(name, known)));
}

std::unique_ptr<LayerSink> make_layer_sink(OutputFormat format, const std::filesystem::path& folder, const std::string& name,
                                           std::span<const Layer> layers, const IndexNames& index, std::size_t rows) {
    io::ensure_directory(folder);
    switch (format) {
        case OutputFormat::npy:
            break;
        case OutputFormat::csv:
            return std::make_unique<TextSink>(folder, name + ".csv", false, layers, index);
        case OutputFormat::ecsv:
            return std::make_unique<TextSink>(folder, name + ".ecsv", true, layers, index);
        case OutputFormat::hdf5:
            return std::make_unique<Hdf5Sink>(folder, name + ".h5", layers, index, rows);
        case OutputFormat::fits:
            return std::make_unique<FitsSink>(folder, name + ".fits", layers, index, rows);
    }
    return std::make_unique<NpySink>(folder, name, layers, rows);
}

}  // namespace aliquot::summary
