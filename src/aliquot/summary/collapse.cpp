#include "aliquot/summary/collapse.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <mutex>

#include "aliquot/core/contract.hpp"
#include "aliquot/core/format.hpp"

namespace aliquot::summary {

namespace {

constexpr std::size_t block_bytes = std::size_t{256} << 10U;  // read and scanned at once, in a worker's second-level cache
constexpr std::size_t task_bytes = std::size_t{4} << 20U;     // a worker's share, long enough to fill sorting networks
constexpr std::size_t tasks_per_slab = 32;
constexpr std::size_t most_task_rows = 8192;
constexpr std::size_t read_ahead_bytes = std::size_t{32} << 20U;

/// How rows are cut. A slab is read, summarised and written before the next; its tasks are shared by the threads.
struct Cut {
    std::size_t block_rows;
    std::size_t task_rows;
    std::size_t slab_rows;
    std::size_t workers;
    bool slab_in_memory;
    bool read_ahead;  ///< the next slab is read while this one is summarised
};

/// A size as --memory takes it, rounded up.
std::string size_text(std::size_t bytes) {
    const unsigned shift = bytes >= (std::size_t{8} << 20U) ? 20 : 10;
    return format("{}{}", (bytes + (std::size_t{1} << shift) - 1) >> shift, shift == 20 ? "M" : "K");
}

Cut cut(const CollapseInput& input, const CollapseOptions& options, std::size_t threads) {
    const std::size_t draws = input.source->draws();
    const std::size_t row_bytes = draws * sizeof(float);
    const std::size_t out_bytes = options.layers.size() * sizeof(float) + 2 * sizeof(std::int64_t) + sizeof(double);
    Cut c{};
    c.read_ahead = !input.source->blocks_in_any_order();
    c.slab_in_memory = c.read_ahead || input.consumer != nullptr;
    c.block_rows = std::clamp<std::size_t>(block_bytes / row_bytes, 1, 4096);
    const std::size_t worker_bytes =
        RowSummariser::bytes(draws, row_kernels(options.level)) + (c.slab_in_memory ? 0 : c.block_rows * row_bytes);
    const std::size_t slab_row_bytes = out_bytes + (c.slab_in_memory ? (c.read_ahead ? 2 : 1) * row_bytes : 0);
    const std::size_t least = worker_bytes + slab_row_bytes;
    if (least > options.memory_bytes)
        throw ConfigError(format("memory = {} ({} draws per row take at least {}): allow more", size_text(options.memory_bytes),
                                 draws, size_text(least)));
    c.workers = std::clamp<std::size_t>(options.memory_bytes / 2 / worker_bytes, 1, threads);
    const std::size_t slab_budget = std::max((options.memory_bytes - c.workers * worker_bytes) / 2, slab_row_bytes);
    c.task_rows = std::clamp<std::size_t>(task_bytes / row_bytes, 1, most_task_rows);
    c.slab_rows = std::clamp<std::size_t>(slab_budget / slab_row_bytes, 1, tasks_per_slab * c.task_rows);
    c.task_rows = std::clamp<std::size_t>(c.slab_rows / (4 * c.workers), 1, c.task_rows);
    return c;
}

/// Rows of the source by their place in the selection.
class Selection {
  public:
    explicit Selection(std::span<const RowRange> ranges) : ranges_(ranges) {
        for (const RowRange& range : ranges_) {
            starts_.push_back(count_);
            count_ += range.count;
        }
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    /// Call use(first row, rows, place within the stretch) for each run of source rows in the stretch.
    template <typename Use>
    void for_each_run(std::size_t first, std::size_t count, const Use& use) const {
        auto range = static_cast<std::size_t>(std::ranges::upper_bound(starts_, first) - starts_.begin());
        for (std::size_t done = 0; done < count; ++range) {
            const RowRange& r = ranges_[range - 1];
            const std::size_t skip = first + done - starts_[range - 1];
            const std::size_t part = std::min(count - done, r.count - skip);
            if (part > 0) use(r.first + skip, part, done);
            done += part;
        }
    }

  private:
    std::span<const RowRange> ranges_;
    std::vector<std::size_t> starts_;
    std::size_t count_ = 0;
};

/// What one thread works with.
struct Worker {
    Worker(const CollapseOptions& options, std::size_t draws, std::size_t block_values)
        : summariser(options.layers, options.summary, draws, row_kernels(options.level)), block(block_values) {}
    RowSummariser summariser;
    std::vector<float> block;
};

/// Hands workers out to tasks; as many exist as run at the same time.
class Workers {
  public:
    Workers(const CollapseOptions& options, std::size_t draws, std::size_t block_values, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            free_.push_back(std::make_unique<Worker>(options, draws, block_values));
    }
    /// Call use(worker) with one that nobody else has; it comes back even where `use` throws.
    template <typename Use>
    void with_one(const Use& use) {
        struct Lease {
            explicit Lease(Workers& from) : workers(from) {
                const std::scoped_lock lock(workers.mutex_);
                ALIQUOT_EXPECT(!workers.free_.empty());
                worker = std::move(workers.free_.back());
                workers.free_.pop_back();
            }
            ~Lease() {
                const std::scoped_lock lock(workers.mutex_);
                workers.free_.push_back(std::move(worker));
            }
            Lease(const Lease&) = delete;
            Lease& operator=(const Lease&) = delete;
            Workers& workers;
            std::unique_ptr<Worker> worker;
        };
        const Lease lease(*this);
        use(*lease.worker);
    }
    [[nodiscard]] NonFiniteCount non_finite() const {
        NonFiniteCount sum;
        for (const auto& worker : free_)
            sum += worker->summariser.non_finite();
        return sum;
    }

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Worker>> free_;
};

class Collapse {
  public:
    Collapse(const CollapseInput& input, const CollapseOptions& options, Threads& threads)
        : input_(input),
          options_(options),
          threads_(threads),
          cut_(cut(input, options, threads.count())),
          draws_(input.source->draws()),
          selection_(input.rows),
          workers_(options, draws_, cut_.slab_in_memory ? 0 : cut_.block_rows * draws_, cut_.workers) {
        const std::size_t slab = std::min(cut_.slab_rows, selection_.count());
        out_.resize(options.layers.size() * slab);
        times_.resize(slab);
        units_.resize(slab);
        if (cut_.slab_in_memory) slab_.resize(slab * draws_);
        if (cut_.read_ahead) next_slab_.resize(slab * draws_);
        if (input.observed != nullptr) observed_.resize(slab);
    }

    CollapseCount run(LayerSink& sink, const ProgressCallback& progress, const std::function<bool()>& interrupted) {
        CollapseCount count{selection_.count(), draws_, {}, std::vector<std::uint64_t>(options_.layers.size(), 0)};
        const auto start = std::chrono::steady_clock::now();
        if (cut_.read_ahead) fetch_ahead(0);
        for (std::size_t first = 0; first < selection_.count(); first += cut_.slab_rows) {
            const std::size_t rows = std::min(cut_.slab_rows, selection_.count() - first);
            read_index(first, rows);
            if (cut_.read_ahead) {
                ahead_.get();
                std::swap(slab_, next_slab_);
                if (first + rows < selection_.count()) fetch_ahead(first + rows);
            }
            summarise(first, rows);
            if (input_.consumer != nullptr)
                input_.consumer->take(std::span(times_).first(rows), std::span(units_).first(rows), slab_.data(), threads_);
            for (std::size_t l = 0; l < count.nan_values.size(); ++l)
                count.nan_values[l] += static_cast<std::uint64_t>(
                    std::ranges::count_if(std::span(out_).subspan(l * rows, rows), [](float x) { return std::isnan(x); }));
            sink.append(std::span(times_).first(rows), std::span(units_).first(rows), out_.data(), rows);
            report(progress, first + rows, start);
            if (interrupted && interrupted()) throw Interrupted("stopped by the user (the target in work was not finished)");
        }
        count.non_finite = workers_.non_finite();
        return count;
    }

  private:
    void fetch_ahead(std::size_t first) {
        const std::size_t rows = std::min(cut_.slab_rows, selection_.count() - first);
        ahead_ = std::async(std::launch::async, [this, first, rows] {
            selection_.for_each_run(first, rows, [&](std::size_t row, std::size_t part, std::size_t at) {
                input_.source->read(row, part, next_slab_.data() + at * draws_);
            });
        });
    }
    void read_index(std::size_t first, std::size_t rows) {
        selection_.for_each_run(first, rows, [&](std::size_t row, std::size_t part, std::size_t at) {
            input_.index->read(row, std::span(times_).subspan(at, part), std::span(units_).subspan(at, part));
            if (input_.observed == nullptr) return;
            std::vector<float> values(part);
            input_.observed->read(row, part, values.data());
            std::ranges::copy(values, observed_.begin() + static_cast<std::ptrdiff_t>(at));
        });
    }
    void summarise(std::size_t first, std::size_t rows) {
        const std::size_t tasks = (rows + cut_.task_rows - 1) / cut_.task_rows;
        std::vector<std::size_t> bad(tasks, rows);
        const std::size_t at_once = std::min(cut_.workers, tasks);
        const auto run_task = [&](std::size_t task) {
            workers_.with_one([&](Worker& worker) { bad[task] = summarise_task(task, first, rows, worker); });
        };
        if (at_once == threads_.count()) {
            threads_.for_each_block(tasks, run_task);
        } else {  // fewer workers fit into the memory than there are threads
            threads_.for_each_block(at_once, [&](std::size_t share) {
                for (std::size_t task = share; task < tasks; task += at_once)
                    run_task(task);
            });
        }
        const std::size_t row = *std::ranges::min_element(bad);
        if (options_.summary.non_finite == NonFinite::raise && row < rows)
            throw DataError(
                format("{}: a draw of row {} (time {}, unit {}) is NaN or infinite (every draw must be finite): mend the "
                       "input, or choose --nonfinite omit or propagate",
                       input_.name, first + row, times_[row], units_[row]));
    }
    /// Rows of one task into their places; returns the first row with a draw that is not finite, or `rows`.
    std::size_t summarise_task(std::size_t task, std::size_t first, std::size_t rows, Worker& worker) {
        RowSummariser& summariser = worker.summariser;
        summariser.begin(out_.data(), rows, observed_);
        const std::size_t begin = task * cut_.task_rows;
        const std::size_t end = std::min(begin + cut_.task_rows, rows);
        for (std::size_t block = begin; block < end; block += cut_.block_rows) {
            const std::size_t part = std::min(cut_.block_rows, end - block);
            float* values = cut_.slab_in_memory ? slab_.data() + block * draws_ : worker.block.data();
            if (!cut_.read_ahead) read_block(first + block, part, values);
            summariser.add(values, part, block);
        }
        summariser.flush();
        return summariser.first_non_finite().value_or(rows);
    }
    void read_block(std::size_t first, std::size_t rows, float* values) {
        selection_.for_each_run(first, rows, [&](std::size_t row, std::size_t part, std::size_t at) {
            const std::size_t ahead = read_ahead_bytes / (draws_ * sizeof(float)) + part;
            if (row / ahead != (row + part) / ahead) input_.source->will_need(row + part, ahead);
            input_.source->read(row, part, values + at * draws_);
        });
    }
    void report(const ProgressCallback& progress, std::size_t done, std::chrono::steady_clock::time_point start) const {
        if (!progress) return;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const double gigabytes = static_cast<double>(done * draws_ * sizeof(float)) * 1e-9;
        progress({input_.name, static_cast<double>(done) / static_cast<double>(selection_.count()), static_cast<double>(done),
                  "rows", format("{:.2f} GB/s", seconds > 0.0 ? gigabytes / seconds : 0.0)});
    }

    const CollapseInput& input_;
    const CollapseOptions& options_;
    Threads& threads_;
    Cut cut_;
    std::size_t draws_;
    Selection selection_;
    Workers workers_;
    std::vector<float> out_;
    std::vector<std::int64_t> times_;
    std::vector<std::int64_t> units_;
    std::vector<double> observed_;
    std::vector<float> slab_;
    std::vector<float> next_slab_;
    std::future<void> ahead_;
};

}  // namespace

std::size_t row_count(std::span<const RowRange> ranges) {
    std::size_t count = 0;
    for (const RowRange& range : ranges)
        count += range.count;
    return count;
}

CollapseCount collapse(const CollapseInput& input, const CollapseOptions& options, Threads& threads, LayerSink& sink,
                       const ProgressCallback& progress, const std::function<bool()>& interrupted) {
    ALIQUOT_EXPECT(input.source != nullptr && input.index != nullptr && input.source->draws() > 0);
    return Collapse(input, options, threads).run(sink, progress, interrupted);
}

}  // namespace aliquot::summary
