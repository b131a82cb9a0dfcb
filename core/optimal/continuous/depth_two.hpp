// Optimal trees of depth two over all thresholds. Sixteen thresholds of the root column are
// examined at a time, spread over the intervals that the bounds leave open. Child columns that
// cannot matter inside an interval are not walked again. Invariant: that of Outcome.
#pragma once

#include <vector>

#include "optimal/continuous/intervals.hpp"
#include "optimal/continuous/outcome.hpp"
#include "optimal/continuous/pair_losses.hpp"
#include "optimal/monitor.hpp"

namespace ramify::optimal::continuous {

template <class T>
class DepthTwo {
  public:
    DepthTwo(const Data& data, Monitor& monitor) : data_(data), monitor_(monitor), losses_(data) {}

    // Looks for a tree of three or four leaves that costs less than `limit`. Fills `by_column` of
    // the outcome. `lower` becomes the cost of the tree that was found, or the least bound that was
    // given up.
    void solve(const Subset<T>& subset, std::int64_t leaves, double limit, const Hint& hint,
               Outcome& outcome);

  private:
    struct Point : End {
        double value = 0.0;                // of the best tree with this threshold
        std::int32_t child[2] = {-1, -1};  // its slots; -1: a leaf
        std::size_t at = 0;                // in branch_: left branch by slot, then right branch
    };
    struct Interval {
        std::int32_t a, b;  // points; -1: none
        std::int32_t low, high;
        double lower;
    };
    struct RootColumn {  // state of one root column
        std::size_t slot = 0;
        Curve curve;
        std::vector<Point> points;
        std::vector<Interval> open;
        double lower = 0.0;  // least bound given up
    };

    void round(const Subset<T>& subset, RootColumn& root);
    bool keep(RootColumn& root, Interval& interval) const;
    Between between(const RootColumn& root, const Interval& interval) const;
    std::size_t choose(const RootColumn& root);
    bool matters(const RootColumn& root, const Interval& interval, std::size_t slot) const;
    void settle(RootColumn& root, Point& point);
    void build(const Subset<T>& subset, Outcome& outcome) const;

    const Data& data_;
    Monitor& monitor_;
    PairLosses<T> losses_;
    std::size_t work_ = 0;

    std::int64_t leaves_ = 4;
    double limit_ = 0.0;  // trees must cost less
    double base_ = 0.0;   // of any branch
    std::size_t slots_ = 0;
    std::vector<RootColumn> roots_;
    std::vector<double> branch_;
    std::vector<Interval> next_;
    std::vector<std::int32_t> chosen_;  // thresholds of the round
    std::vector<std::size_t> owner_;    // their intervals
    typename PairLosses<T>::Losses left_, right_;
    const RootColumn* best_root_ = nullptr;
    Point best_;
};

extern template class DepthTwo<std::int16_t>;
extern template class DepthTwo<std::int32_t>;

}  // namespace ramify::optimal::continuous
