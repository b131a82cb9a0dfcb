// The trees that the search has found; they share subtrees. A tree of depth two or less is stored
// as the number of its first split alone; its other splits are found again when it is written.
// Invariant: a tree is older than the trees that contain it, and never changes.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

namespace ramify::optimal::binary {

class TreeStore {
  public:
    static constexpr std::int32_t leaf = -1;
    // The feature -1 means a leaf.
    static constexpr std::int32_t two_levels(std::int32_t feature) { return -2 - feature; }
    static constexpr std::int32_t first_split(std::int32_t tree) { return -2 - tree; }

    struct Split {
        std::int32_t feature;
        std::int32_t with, without;
        std::int64_t leaves_with, leaves_without;  // the most that the branches may have
    };

    std::int32_t add(const Split& split) {
        const std::lock_guard<std::mutex> lock(mutex_);
        splits_.push_back(split);
        return static_cast<std::int32_t>(splits_.size()) - 1;
    }
    Split operator[](std::int32_t tree) const {
        const std::lock_guard<std::mutex> lock(mutex_);
        return splits_[static_cast<std::size_t>(tree)];
    }

  private:
    mutable std::mutex mutex_;
    std::deque<Split> splits_;
};

}  // namespace ramify::optimal::binary
