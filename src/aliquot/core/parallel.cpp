#include "aliquot/core/parallel.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace aliquot {

struct Threads::Arena {
    explicit Arena(std::size_t count)
        : limit(tbb::global_control::max_allowed_parallelism, count), arena(static_cast<int>(count)) {}
    tbb::global_control limit;  // lets more threads run than there are cores, where that is asked for
    tbb::task_arena arena;
};

Threads::Threads(std::size_t count) : count_(count != 0 ? count : static_cast<std::size_t>(tbb::info::default_concurrency())) {
    if (count_ > 1) arena_ = std::make_unique<Arena>(count_);
}

Threads::~Threads() = default;

void Threads::for_each_block(std::size_t blocks, const std::function<void(std::size_t)>& body) {
    if (arena_ == nullptr || blocks < 2) {
        for (std::size_t block = 0; block < blocks; ++block)
            body(block);
        return;
    }
    arena_->arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, blocks, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
                for (std::size_t block = range.begin(); block != range.end(); ++block)
                    body(block);
            },
            tbb::simple_partitioner());
    });
}

}  // namespace aliquot
