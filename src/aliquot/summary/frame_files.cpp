#include "aliquot/summary/frame_files.hpp"

#include <algorithm>
#include <filesystem>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/summary/array_files.hpp"

namespace aliquot::summary {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t priogrid_cells = 259200;  // 720 x 360
constexpr std::int64_t most_countries = 1000;

Level effective_level(const FrameOptions& options, Level found, const FrameIndex& index) {
    if (options.level) return *options.level;
    return found != Level::unknown ? found : guess_level(index);
}

/// The values of a folder, with its identifiers.
Frame open_folder(const fs::path& values, const FrameOptions& options) {
    const fs::path identifiers = values.parent_path() / "identifiers.npz";
    if (!fs::exists(identifiers))
        throw DataError(format("{}: no such file (it holds time and unit of every row of {}): put it there", identifiers.string(),
                               values.filename().string()),
                        ExitCode::no_input);
    Frame frame;
    frame.index = open_npz_index(identifiers.string());
    frame.source = open_npy(values.string(), options, frame.index->rows());
    frame.level = effective_level(options, read_header_level(values.parent_path() / "header.json"), *frame.index);
    return frame;
}

std::optional<fs::path> values_in(const fs::path& folder) {
    for (const char* name : {"y_pred.npy", "values.npy"}) {
        if (fs::exists(folder / name)) return folder / name;
    }
    return std::nullopt;
}

std::string folder_name(const fs::path& folder) {
    const fs::path whole = fs::absolute(folder).lexically_normal();
    return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

std::vector<FrameFile> find_in_folder(const fs::path& folder, const FrameOptions& options) {
    const auto frame = [&](const fs::path& values, const fs::path& place) {
        return FrameFile{folder_name(place), values.string(), [values, options] { return open_folder(values, options); }};
    };
    if (const auto values = values_in(folder)) return {frame(*values, folder)};
    std::vector<FrameFile> frames;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (!entry.is_directory()) continue;
        if (const auto values = values_in(entry.path())) frames.push_back(frame(*values, entry.path()));
    }
    std::ranges::sort(frames, {}, &FrameFile::name);
    if (frames.empty())
        throw DataError(
            format("{}: no frames in it (y_pred.npy or values.npy in the folder or in folders inside it): check the path",
                   folder.string()),
            ExitCode::no_input);
    return frames;
}

bool ends_with_any(const std::string& path, std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); });
}

/// A file, and the part of it that stands behind a colon.
std::pair<std::string, std::string> split_part(const std::string& path) {
    if (fs::exists(path)) return {path, ""};
    for (std::size_t colon = path.rfind(':'); colon != std::string::npos && colon > 0; colon = path.rfind(':', colon - 1)) {
        if (fs::exists(path.substr(0, colon))) return {path.substr(0, colon), path.substr(colon + 1)};
    }
    throw DataError(format("{}: no such file or folder: check the path", path), ExitCode::no_input);
}

Frame open_file(const std::string& path, const std::string& part, const FrameOptions& options) {
    Frame frame;
    if (path.ends_with(".npz")) {
        frame = open_npz(path, part, options);
    } else if (ends_with_any(path, {".h5", ".hdf5", ".nc"})) {
        frame = open_hdf5(path, part, options);
    } else if (ends_with_any(path, {".fits", ".fit"})) {
        frame = open_fits(path, part, options);
    } else if (path.ends_with(".npy")) {
        const fs::path identifiers = fs::path(path).parent_path() / "identifiers.npz";
        if (fs::exists(identifiers)) return open_folder(path, options);
        frame.source = open_npy(path, options, std::nullopt);
    } else {
        frame.source = open_raw(path, options);
    }
    if (frame.index == nullptr) frame.index = make_counting_index(frame.source->rows());
    if (options.level) frame.level = *options.level;
    return frame;
}

std::string file_name(const fs::path& path, const std::string& part) {
    std::string name = path.stem().string();
    const bool usual = name == "fit" || name == "y_pred" || name == "values";
    if (usual && fs::absolute(path).has_parent_path()) name = folder_name(fs::absolute(path).parent_path());
    for (const char c : part.empty() ? "" : "_" + part)
        name += c == '/' ? '_' : c;
    return name;
}

}  // namespace

std::vector<FrameFile> find_frames(const std::string& path, const FrameOptions& options) {
    if (path == "-")
        return {{"stdin", "standard input", [options] {
                     Frame frame;
                     frame.source = open_standard_input(options);
                     frame.index = make_counting_index(frame.source->rows());
                     frame.level = options.level.value_or(Level::unknown);
                     return frame;
                 }}};
    const auto [file, part] = split_part(path);
    if (fs::is_directory(file)) return find_in_folder(file, options);
    return {{file_name(file, part), path, [file = file, part = part, options] { return open_file(file, part, options); }}};
}

IndexNames index_names(Level level) {
    switch (level) {
        case Level::priogrid:
            return {"month_id", "priogrid_id", {}};
        case Level::country:
            return {"month_id", "country_id", {}};
        case Level::unknown:
            break;
    }
    return {};
}

Level guess_level(const FrameIndex& index) {
    std::vector<std::int64_t> times(std::min<std::size_t>(index.rows(), 1 << 15));
    std::vector<std::int64_t> units(times.size());
    index.read(0, times, units);
    if (units.empty()) return Level::unknown;
    const auto [least, most] = std::ranges::minmax(units);
    return least >= 1 && most > most_countries && most <= priogrid_cells ? Level::priogrid : Level::unknown;
}

}  // namespace aliquot::summary
