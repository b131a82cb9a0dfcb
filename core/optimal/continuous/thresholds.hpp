// The search of one node of depth three or more: intervals of thresholds, the one with the lowest
// bound first; its middle is examined by solving both branches, and the rest is two intervals with
// better bounds. Invariant: every tree of the node is examined, in an open interval, or no better
// than `floor`.
#pragma once

#include <deque>
#include <vector>

#include "optimal/continuous/search.hpp"

namespace ramify::optimal {

template <class T>
class Thresholds {
  public:
    Thresholds(const Data& data, const Subset<T>& subset, int depth, std::int64_t leaves,
               double limit, const Hint& hint);

    // Examines one threshold; false when none is left.
    bool step(Search<T>& search);

    double limit() const { return limit_; }
    double lower() const;  // of all trees that are not examined yet, or were given up
    bool found() const { return !tree_.empty(); }
    const NodeList& tree() const { return tree_; }
    double value() const { return value_; }
    void finish(Outcome& outcome) const;
    void lower_limit(double limit) { limit_ = std::min(limit_, limit); }

  private:
    struct Point : End {
        Outcome branch[2];
    };
    struct Feature {  // a column with a division of the leaves among the branches
        std::size_t slot;
        std::size_t curve;
        std::int64_t leaves[2];
        std::deque<Point> points;
        double lower;  // least bound given up or value found
    };
    struct Interval {
        double lower;
        std::size_t feature;
        const Point* a;
        const Point* b;
        std::int32_t low, high;
        bool operator<(const Interval& other) const {  // for a heap with the least on top
            if (lower != other.lower) return lower > other.lower;
            return feature != other.feature ? feature > other.feature : low > other.low;
        }
    };

    Between between(const Feature& feature, const Interval& interval) const;
    void push(Interval interval);
    double grown(const Outcome& branch, std::int64_t leaves, std::size_t column) const;
    void examine(Search<T>& search, Feature& feature, const Interval& interval, Point& point);

    const Data& data_;
    const Subset<T>& subset_;
    int depth_;
    double limit_;
    NodeList tree_;
    double value_ = kInfinity;
    std::vector<Curve> curves_;
    std::deque<Feature> features_;
    std::vector<Interval> open_;  // a heap
    std::vector<double> given_;   // bounds by column from the hint
};

}  // namespace ramify::optimal
