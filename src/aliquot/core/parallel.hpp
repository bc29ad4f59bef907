#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace aliquot {

/// A bounded set of threads (oneTBB). Work is handed out in blocks that the caller fixes, so that results never depend on the
/// number of threads; exceptions of a block reach the caller.
class Threads {
  public:
    /// `count` threads; 0 means one per core.
    explicit Threads(std::size_t count = 0);
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    [[nodiscard]] std::size_t count() const { return count_; }

    /// Call body(block) once for each block in [0, blocks), in any order and on any thread.
    void for_each_block(std::size_t blocks, const std::function<void(std::size_t)>& body);

  private:
    struct Arena;
    std::size_t count_;
    std::unique_ptr<Arena> arena_;
};

}  // namespace aliquot
