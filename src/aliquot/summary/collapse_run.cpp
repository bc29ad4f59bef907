#include "aliquot/summary/collapse_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/nearest.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/io/atomic_file.hpp"
#include "aliquot/summary/aggregate.hpp"
#include "aliquot/summary/collapse_report.hpp"

namespace aliquot::summary {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Passes rows on to a sink and to the report's maps.
class ReportedSink final : public LayerSink {
  public:
    ReportedSink(std::unique_ptr<LayerSink> sink, LayerMaps& maps) : sink_(std::move(sink)), maps_(maps) {}
    void append(std::span<const std::int64_t> times, std::span<const std::int64_t> units, const float* layers,
                std::size_t stride) override {
        sink_->append(times, units, layers, stride);
        maps_.take(times, units, layers, stride);
    }
    std::vector<std::string> close() override { return sink_->close(); }

  private:
    std::unique_ptr<LayerSink> sink_;
    LayerMaps& maps_;
};

/// Discards layers, for passes that only sum.
class NoSink final : public LayerSink {
  public:
    void append(std::span<const std::int64_t> /*times*/, std::span<const std::int64_t> /*units*/, const float* /*layers*/,
                std::size_t /*stride*/) override {}
    std::vector<std::string> close() override { return {}; }
};

std::vector<FrameFile> chosen_frames(const RunOptions& options) {
    std::vector<FrameFile> frames;
    std::vector<std::string> names;
    for (const std::string& path : options.paths) {
        for (FrameFile& frame : find_frames(path, options.frames)) {
            if (std::ranges::find(names, frame.name) != names.end())
                throw DataError(
                    format("{}: a second target named {} (each needs its own name in the output): collapse them apart",
                           frame.path, frame.name));
            names.push_back(frame.name);
            frames.push_back(std::move(frame));
        }
    }
    for (const std::string& target : options.targets) {
        if (std::ranges::find(names, target) == names.end())
            throw ConfigError(format("no target \"{}\"{}", target, suggest(target, names)));
    }
    if (!options.targets.empty())
        std::erase_if(frames,
                      [&](const FrameFile& f) { return std::ranges::find(options.targets, f.name) == options.targets.end(); });
    return frames;
}

std::vector<RowRange> chosen_rows(const RunOptions& options, const FrameFile& file, const FrameIndex& index) {
    RowRange rows{0, index.rows()};
    if (options.rows) {
        if (options.rows->first + options.rows->count > index.rows())
            throw DataError(format("{}: rows {} to {} are asked for, it has {}: choose others", file.path, options.rows->first,
                                   options.rows->first + options.rows->count, index.rows()));
        rows = *options.rows;
    }
    if (options.times.empty()) return {rows};
    std::vector<std::int64_t> times;
    for (const RowRange& range : options.times) {
        for (std::size_t i = 0; i < range.count; ++i)
            times.push_back(static_cast<std::int64_t>(range.first + i));
    }
    std::ranges::sort(times);
    std::vector<RowRange> chosen = rows_at_times(index, rows, times);
    if (chosen.empty())
        throw DataError(format("{}: no row has one of the times asked for ({} to {}): choose others", file.path, times.front(),
                               times.back()));
    return chosen;
}

class Run {
  public:
    Run(const RunOptions& options, Threads& threads, const ProgressCallback& progress, const std::function<bool()>& interrupted)
        : options_(options), threads_(threads), progress_(progress), interrupted_(interrupted), report_(options.collapse.layers) {
        for (const Layer& layer : options.collapse.layers) {
            if (needs_observed(layer.kind) && options.observed.empty())
                throw ConfigError(format("layer {} (it compares draws with what was observed): give --observed", layer.name));
        }
        if (!options.totals.empty() && options.mapping.empty())
            throw ConfigError("reconcile (cells must be known to belong to the totals): give --mapping too");
        if (!options.mapping.empty()) mapping_ = UnitMapping::read(options.mapping);
    }

    RunResult run() {
        const auto start = Clock::now();
        result_.notes = layer_notes(options_.collapse.layers);
        for (const FrameFile& file : chosen_frames(options_))
            target(file);
        result_.seconds = seconds_since(start);
        if (options_.report) report_.write(options_.out / "report.html", result_);
        io::write_file(options_.out / "collapse.json", run_json(options_, result_));
        return std::move(result_);
    }

  private:
    void target(const FrameFile& file) {
        Frame frame = file.open();
        std::unique_ptr<ChunkSource> observed = open_observed(frame);
        const std::vector<RowRange> rows = chosen_rows(options_, file, *frame.index);
        CollapseInput input{file.name, frame.source.get(), frame.index.get(), rows, observed.get(), nullptr};
        std::optional<DrawSums> cell_sums;
        std::optional<DrawSums> totals;
        std::unique_ptr<ChunkSource> reconciled;
        CollapseOptions part = options_.collapse;
        if (mapping_) part.memory_bytes /= 2;  // the other half is for sums
        if (!options_.totals.empty()) {
            cell_sums.emplace(*mapping_, frame.source->draws(), part.memory_bytes / 2, true);
            sum(input, part, *cell_sums);
            totals.emplace(identity_, 0, part.memory_bytes / 2);
            read_totals(file.name, part, totals);
            reconciled = make_reconciled_source(*frame.source, *frame.index, *mapping_, *cell_sums, *totals);
            input.source = reconciled.get();
        }
        std::optional<DrawSums> sums;
        if (mapping_) {
            sums.emplace(*mapping_, frame.source->draws(), part.memory_bytes / 2);
            input.consumer = &*sums;
        }
        summarise(file, input, part, frame.level, frame.labels);
        result_.bytes_read += frame.source->bytes_read();
        if (!sums) return;
        const auto source = sums->source();
        const auto index = sums->index();
        const FrameFile larger{file.name + "_by_target", file.path, {}};
        summarise(larger, {larger.name, source.get(), index.get(), {{0, source->rows()}}, nullptr, nullptr}, part, Level::country,
                  {});
    }

    std::unique_ptr<ChunkSource> open_observed(const Frame& frame) const {
        if (options_.observed.empty()) return nullptr;
        const std::vector<FrameFile> files = find_frames(options_.observed, {});
        auto source = files.front().open().source;
        if (files.size() != 1 || source->draws() != 1 || source->rows() != frame.source->rows() || !source->blocks_in_any_order())
            throw DataError(
                format("{}: {} rows of {} values (one value for each of the {} rows is expected): save an array of shape "
                       "({}, 1)",
                       options_.observed, source->rows(), source->draws(), frame.source->rows(), frame.source->rows()));
        return source;
    }

    void sum(CollapseInput input, const CollapseOptions& options, DrawSums& sums) const {
        CollapseOptions none = options;
        none.layers.clear();
        input.consumer = &sums;
        NoSink sink;
        (void)collapse(input, none, threads_, sink, progress_, interrupted_);
    }

    /// The frame of totals of the same name as the target, or the only one.
    void read_totals(const std::string& name, const CollapseOptions& options, std::optional<DrawSums>& totals) const {
        std::vector<FrameFile> files = find_frames(options_.totals, {});
        const auto same = std::ranges::find(files, name, &FrameFile::name);
        if (same == files.end() && files.size() != 1)
            throw DataError(
                format("{}: no frame named {} (totals for every target are expected): add it", options_.totals, name));
        const Frame frame = (same == files.end() ? files.front() : *same).open();
        totals.emplace(identity_, frame.source->draws(), options.memory_bytes / 2);
        sum({name + " totals", frame.source.get(), frame.index.get(), {{0, frame.source->rows()}}, nullptr, nullptr}, options,
            *totals);
    }

    void summarise(const FrameFile& file, const CollapseInput& input, const CollapseOptions& options, Level level,
                   const std::vector<std::string>& labels) {
        const auto start = Clock::now();
        const std::size_t rows = row_count(input.rows);
        IndexNames names = index_names(level);
        names.labels = labels;
        LayerMaps maps(options.layers, level == Level::priogrid && options_.report ? map_times(*input.index, input.rows)
                                                                                   : std::vector<std::int64_t>());
        ReportedSink sink(make_layer_sink(options_.format, options_.out, file.name, options.layers, names, rows), maps);
        TargetResult target{file.name, file.path, {}, {}, labels, 0.0};
        target.count = collapse(input, options, threads_, sink, progress_, interrupted_);
        target.files = sink.close();
        target.seconds = seconds_since(start);
        report_.add(target, maps);
        result_.targets.push_back(std::move(target));
    }

    const RunOptions& options_;
    Threads& threads_;
    const ProgressCallback& progress_;
    const std::function<bool()>& interrupted_;
    std::optional<UnitMapping> mapping_;
    UnitMapping identity_ = UnitMapping::identity();
    CollapseReport report_;
    RunResult result_;
};

nlohmann::ordered_json non_finite_json(const NonFiniteCount& count) {
    return {{"nan_draws", count.nan},
            {"infinite_draws", count.infinite},
            {"rows", count.rows},
            {"rows_without_draws", count.empty_rows}};
}

}  // namespace

RunResult run_collapse(const RunOptions& options, Threads& threads, const ProgressCallback& progress,
                       const std::function<bool()>& interrupted) {
    return Run(options, threads, progress, interrupted).run();
}

std::string run_json(const RunOptions& options, const RunResult& result) {
    std::size_t rows = 0;
    std::size_t draws = 0;
    NonFiniteCount non_finite;
    nlohmann::ordered_json targets = nlohmann::ordered_json::array();
    for (const TargetResult& target : result.targets) {
        rows += target.count.rows;
        draws = std::max(draws, target.count.draws);
        non_finite += target.count.non_finite;
        nlohmann::ordered_json nan_values;
        for (std::size_t l = 0; l < options.collapse.layers.size(); ++l)
            nan_values[options.collapse.layers[l].name] = target.count.nan_values[l];
        nlohmann::ordered_json object{{"name", target.name},
                                      {"path", target.path},
                                      {"rows", target.count.rows},
                                      {"draws", target.count.draws},
                                      {"nonfinite", non_finite_json(target.count.non_finite)},
                                      {"nan_values", nan_values},
                                      {"seconds", target.seconds},
                                      {"files", target.files}};
        if (!target.labels.empty()) object["units"] = target.labels;
        targets.push_back(std::move(object));
    }
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    for (const Layer& layer : options.collapse.layers)
        layers.push_back(layer.name);
    const SummaryOptions& summary = options.collapse.summary;
    nlohmann::ordered_json total = non_finite_json(non_finite);
    total["policy"] = summary.non_finite == NonFinite::raise  ? "raise"
                      : summary.non_finite == NonFinite::omit ? "omit"
                                                              : "propagate";
    nlohmann::ordered_json json{
        {"rows", rows},
        {"draws", draws},
        {"layers", layers},
        {"nonfinite", total},
        {"bytes_read", result.bytes_read},
        {"seconds", result.seconds},
        {"rows_per_second", result.seconds > 0.0 ? static_cast<double>(rows) / result.seconds : 0.0},
        {"peak_rss_bytes", peak_resident_bytes()},
        {"version", version},
        {"method",
         {{"tip_mass", summary.tip_mass}, {"zero_cutoff", nullptr}, {"instruction_set", to_string(options.collapse.level)}}},
        {"notes", result.notes},
        {"targets", targets}};
    if (summary.zero_cutoff) json["method"]["zero_cutoff"] = *summary.zero_cutoff;
    return json.dump(2) + "\n";
}

std::uint64_t peak_resident_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
    }
    return 0;
}

}  // namespace aliquot::summary
