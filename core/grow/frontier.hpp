// The frontier: the nodes that may be expanded next, with the best split first. Invariant: of two
// nodes of equal priority, the one that was created first comes first.
#pragma once

#include <bit>
#include <cstdint>
#include <queue>
#include <vector>

namespace ramify {

struct FrontierEntry {
    double priority;
    std::int64_t order;  // of creation
    std::int32_t id;
};

class Frontier {
  public:
    explicit Frontier(bool weigh_gains) : weigh_gains_(weigh_gains) {}

    void push(std::int32_t id, double gain, double weight) {
        queue_.push({rounded(weigh_gains_ ? gain * weight : gain), created_++, id});
    }
    std::int32_t first() const { return queue_.top().id; }
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
        bool operator()(const FrontierEntry& a, const FrontierEntry& b) const {
            if (a.priority != b.priority) return a.priority < b.priority;
            return a.order > b.order;
        }
    };
    std::priority_queue<FrontierEntry, std::vector<FrontierEntry>, Later> queue_;
    bool weigh_gains_;
    std::int64_t created_ = 0;
};

}  // namespace ramify
