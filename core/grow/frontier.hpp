// The frontier: the nodes that may be expanded next. Depth-first and best-first differ in the
// comparator alone. Invariant: of two nodes of equal priority, the one that was created first comes
// first.
#pragma once

#include <bit>
#include <cstdint>
#include <queue>
#include <vector>

#include "grow/parameters.hpp"

namespace ramify {

struct FrontierEntry {
    double priority;
    std::int64_t order;  // of creation
    std::int32_t depth;
    std::int32_t id;
};

class Frontier {
  public:
    explicit Frontier(Growth growth)
        : queue_(Later{growth == Growth::depth_first}), growth_(growth) {}

    void push(std::int32_t id, std::int32_t depth, double gain, double weight) {
        const double priority = growth_ == Growth::best_first ? gain * weight : gain;
        queue_.push({rounded(priority), created_++, depth, id});
    }
    std::int32_t pop() {
        const std::int32_t id = queue_.top().id;
        queue_.pop();
        return id;
    }
    bool empty() const { return queue_.empty(); }

  private:
    // Priorities that differ by rounding alone are equal: the last twelve bits do not count.
    static double rounded(double priority) {
        return std::bit_cast<double>((std::bit_cast<std::uint64_t>(priority) + 2048) &
                                     ~std::uint64_t{4095});
    }
    struct Later {
        bool depth_first;
        bool operator()(const FrontierEntry& a, const FrontierEntry& b) const {
            // Depth first: the deepest node, and of siblings the first.
            if (depth_first && a.depth != b.depth) return a.depth < b.depth;
            if (!depth_first && a.priority != b.priority) return a.priority < b.priority;
            return a.order > b.order;
        }
    };
    std::priority_queue<FrontierEntry, std::vector<FrontierEntry>, Later> queue_;
    Growth growth_;
    std::int64_t created_ = 0;
};

}  // namespace ramify
