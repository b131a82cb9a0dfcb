// Trees that the search has found, sharing their subtrees. Of trees of depth two and less only the
// first split is kept, in the number itself; the others are found again when they are written out.
// Invariant: a tree is older than those it is part of; it never changes.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

namespace ramify::optimal::binary {

class TreeStore {
  public:
    static constexpr std::int32_t leaf = -1;
    // The feature -1 is a leaf, as everywhere.
    static constexpr std::int32_t two_levels(std::int32_t feature) { return -2 - feature; }
    static constexpr std::int32_t first_split(std::int32_t tree) { return -2 - tree; }

    struct Split {
        std::int32_t feature;
        std::int32_t with, without;
        std::int64_t leaves_with, leaves_without;  // that the branches may have
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
