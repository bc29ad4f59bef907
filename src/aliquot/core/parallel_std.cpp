// Threads from the standard library, for the thread sanitizer: it sees into these, and takes what oneTBB does for races.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "aliquot/core/parallel.hpp"

namespace aliquot {

struct Threads::Arena {};

Threads::Threads(std::size_t count)
    : count_(count != 0 ? count : std::max<std::size_t>(1, std::thread::hardware_concurrency())) {}

Threads::~Threads() = default;

void Threads::for_each_block(std::size_t blocks, const std::function<void(std::size_t)>& body) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    // Relaxed: nothing but the start and the end of a call orders one block after another.
    const auto work = [&] {
        for (std::size_t block = 0; (block = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
            try {
                body(block);
            } catch (...) {
                next.store(blocks, std::memory_order_relaxed);
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t helper = 1; helper < std::min(count_, blocks); ++helper)
            helpers.emplace_back(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace aliquot
