// The root of the continuous search: first trees, then every tree.
#include <algorithm>
#include <stdexcept>

#include "optimal/continuous/greedy.hpp"
#include "optimal/continuous/thresholds.hpp"
#include "optimal/searches.hpp"

namespace ramify::optimal {
namespace {

int depth_of(const NodeList& tree, std::size_t at = 0) {
    if (tree[at].column < 0) return 0;
    return 1 + std::max(depth_of(tree, static_cast<std::size_t>(tree[at].left)),
                        depth_of(tree, static_cast<std::size_t>(tree[at].right)));
}

std::int64_t leaves_of(const NodeList& tree) {
    return std::count_if(tree.begin(), tree.end(), [](const Node& n) { return n.column < 0; });
}

template <class T>
class Root {
  public:
    Root(const Data& data, const Limits& limits, const Switches& switches, Monitor& monitor)
        : data_(data),
          limits_(limits),
          switches_(switches),
          monitor_(monitor),
          depth_(limits.max_depth),
          leaves_(std::min(limits.max_leaves, std::int64_t{1} << std::clamp(depth_, 0, 40))),
          cache_(limits.memory, switches.cache) {
        subset_.all(data);
    }

    Result run(const NodeList& start) {
        Search<T> search(data_, switches_, cache_, monitor_);
        take({Node{}}, subset_.leaf + data_.sparsity);
        if (!start.empty() && depth_of(start) <= depth_ && leaves_of(start) <= leaves_) {
            take(start, cost_of(data_, subset_, start));
        }
        try {
            result_.proven = explore(search);
        } catch (const Halt&) {
        }
        if (result_.proven) monitor_.bound(value_);
        result_.statistics = search.statistics;
        cache_.count(result_.statistics);
        return std::move(result_);
    }

  private:
    void take(const NodeList& tree, double value) {
        if (!(value < value_)) return;
        value_ = value;
        result_.nodes = tree;
        monitor_.improve(value);
    }

    bool explore(Search<T>& search) {
        const double least = std::min(value_, subset_.unavoidable + 2 * data_.sparsity);
        monitor_.bound(least);
        if (depth_ <= 2 || leaves_ <= 2) {
            const Outcome outcome = search.solve(subset_, depth_, leaves_, value_, Hint{});
            if (outcome.exact) take(outcome.tree, outcome.lower);
            return true;
        }
        for (const bool entropy : {false, true}) {
            const NodeList tree = greedy_tree(data_, search, subset_, depth_, leaves_, entropy);
            take(tree, cost_of(data_, subset_, tree));
        }
        Hint hint;
        Thresholds<T> thresholds(data_, subset_, depth_, leaves_, value_ - data_.tolerance, hint);
        while (least < value_ - data_.tolerance && thresholds.step(search)) {
            if (thresholds.found()) take(thresholds.tree(), thresholds.value());
            report(std::max(least, thresholds.lower()));
        }
        return true;
    }

    // A bound that rises in small steps is not told each time.
    void report(double lower) {
        if (monitor_.seconds() < told_ + 0.02) return;
        told_ = monitor_.seconds();
        monitor_.bound(std::min(lower, value_));
    }

    const Data& data_;
    const Limits& limits_;
    const Switches& switches_;
    Monitor& monitor_;
    int depth_;
    std::int64_t leaves_;
    Cache cache_;
    Subset<T> subset_;
    double value_ = kInfinity;
    double told_ = 0.0;
    Result result_;
};

}  // namespace

Result solve_continuous(const Problem& problem, const Limits& limits, const Switches& switches,
                        Monitor& monitor) {
    const Data data(problem, limits, switches);
    constexpr std::size_t most_of_16_bits = 15000;  // rows, see pair_kernel.hpp
    if (data.rows <= most_of_16_bits) {
        return Root<std::int16_t>(data, limits, switches, monitor).run(problem.start);
    }
    return Root<std::int32_t>(data, limits, switches, monitor).run(problem.start);
}

}  // namespace ramify::optimal
