#include "discretize/chimerge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>

#include "support/parallel.hpp"

namespace ramify {
namespace {

// Statistics that agree to 40 bits are equal.
double rounded(double statistic) {
    int exponent = 0;
    const double fraction = std::frexp(statistic, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 40)), exponent - 40);
}

struct Interval {
    std::vector<BlockEntry> entries;  // by class
    std::int64_t mass = 0;
    std::size_t before = 0, after = 0;  // its neighbours; its own index if there is none
    std::uint32_t changes = 0;  // how often it was merged; a pair with a lower count is stale
    bool gone = false;
};

// Pearson's statistic of two intervals by the classes they have. With sums R1 and R2, the two
// cells a, b of a class together contribute (a R2 - b R1)^2 / ((a + b) R1 R2).
double chi_square(const Interval& low, const Interval& high, double unit) {
    const double r1 = static_cast<double>(low.mass) * unit;
    const double r2 = static_cast<double>(high.mass) * unit;
    double sum = 0.0;
    const auto add = [&](std::int64_t in_low, std::int64_t in_high) {
        const double a = static_cast<double>(in_low) * unit;
        const double b = static_cast<double>(in_high) * unit;
        const double difference = a * r2 - b * r1;
        sum += difference / r1 * (difference / r2) / (a + b);
    };
    auto one = low.entries.begin();
    auto two = high.entries.begin();
    while (one != low.entries.end() || two != high.entries.end()) {
        const bool has_one =
            one != low.entries.end() && (two == high.entries.end() || one->label <= two->label);
        const bool has_two =
            two != high.entries.end() && (one == low.entries.end() || two->label <= one->label);
        add(has_one ? one->mass : 0, has_two ? two->mass : 0);
        one += has_one;
        two += has_two;
    }
    return sum;
}

void absorb(Interval& low, Interval& high) {
    std::vector<BlockEntry> joined;
    joined.reserve(low.entries.size() + high.entries.size());
    const auto by_class = [](const BlockEntry& a, const BlockEntry& b) {
        return a.label < b.label;
    };
    std::merge(low.entries.begin(), low.entries.end(), high.entries.begin(), high.entries.end(),
               std::back_inserter(joined), by_class);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < joined.size(); ++i) {
        if (joined[i].label == joined[kept].label) {
            joined[kept].mass += joined[i].mass;
        } else {
            joined[++kept] = joined[i];
        }
    }
    joined.resize(kept + 1);
    low.entries = std::move(joined);
    low.mass += high.mass;
    high.entries = {};
    high.gone = true;
}

class IntervalMerger {
  public:
    IntervalMerger(const Blocks& blocks, double unit) : unit_(unit), intervals_(blocks.size()) {
        for (std::size_t i = 0; i < intervals_.size(); ++i) {
            Interval& interval = intervals_[i];
            const auto entries = blocks(i, i + 1);
            interval.entries.assign(entries.begin(), entries.end());
            std::sort(interval.entries.begin(), interval.entries.end(),
                      [](const auto& a, const auto& b) { return a.label < b.label; });
            for (const BlockEntry& entry : entries) interval.mass += entry.mass;
            interval.before = i == 0 ? 0 : i - 1;
            interval.after = i + 1 == intervals_.size() ? i : i + 1;
        }
        for (std::size_t i = 0; i + 1 < intervals_.size(); ++i) offer(i);
    }

    void run(const ChiMergeOptions& options, Interrupt& interrupt) {
        std::size_t left = intervals_.size();
        while (left > options.min_intervals && !pairs_.empty()) {
            const Pair pair = pairs_.top();
            pairs_.pop();
            Interval& low = intervals_[pair.low];
            if (low.gone || low.after == pair.low ||
                pair.changes != low.changes + intervals_[low.after].changes)
                continue;
            if (!(pair.statistic < options.threshold) && left <= options.max_intervals) break;
            if (left % 4096 == 0) interrupt.poll();
            merge(pair.low);
            --left;
        }
    }

    std::vector<double> thresholds(const Blocks& blocks) const {
        std::vector<double> found;
        for (std::size_t i = 1; i < intervals_.size(); ++i)
            if (!intervals_[i].gone) found.push_back(blocks.thresholds[i - 1]);
        return found;
    }

  private:
    struct Pair {
        double statistic;
        std::size_t low;
        std::uint32_t changes;  // of both intervals together; it never falls
        bool operator<(const Pair& other) const {
            return statistic != other.statistic ? statistic > other.statistic : low > other.low;
        }
    };

    void offer(std::size_t low) {
        const Interval& first = intervals_[low];
        const Interval& second = intervals_[first.after];
        pairs_.push(
            {rounded(chi_square(first, second, unit_)), low, first.changes + second.changes});
    }

    void merge(std::size_t index) {
        Interval& low = intervals_[index];
        const std::size_t other = low.after;
        Interval& high = intervals_[other];
        const bool last = high.after == other;
        absorb(low, high);
        low.changes += high.changes + 1;
        low.after = last ? index : high.after;
        if (!last) {
            intervals_[low.after].before = index;
            offer(index);
        }
        if (low.before != index) offer(low.before);
    }

    double unit_;
    std::vector<Interval> intervals_;
    std::priority_queue<Pair> pairs_;
};

}  // namespace

std::vector<std::vector<double>> chimerge_cuts(const LabelledTable& data,
                                               const ChiMergeOptions& options,
                                               Interrupt& interrupt) {
    check(data);
    const Masses masses(data);
    std::vector<std::vector<double>> found(data.table.size());
    for_each_index(data.table.size(), options.threads, [&](std::size_t column) {
        interrupt.poll();
        const Blocks blocks = find_blocks(data, column, masses);
        IntervalMerger merger(blocks, masses.unit());
        merger.run(options, interrupt);
        found[column] = merger.thresholds(blocks);
    });
    return found;
}

}  // namespace ramify
