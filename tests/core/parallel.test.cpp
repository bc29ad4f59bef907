#include "aliquot/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace aliquot {
namespace {

TEST(Threads, EveryBlockRunsOnce) {
    for (const std::size_t count : {1, 2, 3, 8}) {
        Threads threads(count);
        EXPECT_EQ(threads.count(), count);
        std::vector<std::atomic<int>> runs(100);
        threads.for_each_block(100, [&](std::size_t block) { ++runs[block]; });
        for (const auto& n : runs)
            EXPECT_EQ(n, 1);
        threads.for_each_block(0, [](std::size_t) { FAIL(); });
    }
    EXPECT_GE(Threads().count(), 1U);
}

TEST(Threads, ExceptionsReachTheCaller) {
    Threads threads(2);
    EXPECT_THROW(threads.for_each_block(10,
                                        [](std::size_t block) {
                                            if (block == 7) throw std::runtime_error("seven");
                                        }),
                 std::runtime_error);
    int after = 0;
    threads.for_each_block(1, [&](std::size_t) { ++after; });
    EXPECT_EQ(after, 1);
}

TEST(Threads, BlocksRunBesideEachOther) {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core only";
    Threads threads(2);
    std::mutex mutex;
    std::set<std::thread::id> ids;
    // Each block waits until both have begun, or gives up after two seconds.
    std::atomic<int> begun{0};
    threads.for_each_block(2, [&](std::size_t) {
        ++begun;
        for (int i = 0; i < 2000 && begun < 2; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::lock_guard lock(mutex);
        ids.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(ids.size(), 2U);
}

}  // namespace
}  // namespace aliquot
