// The search of one node of depth three or more. It keeps intervals of thresholds and takes the one
// with the lowest bound first. The middle of the interval is examined by solving both branches,
// which leaves two intervals with better bounds. Several threads may examine thresholds of one node
// at a time, between next() and done(). Invariant: every tree of the node has been examined, is
// being examined, lies in an open interval, or is bounded by what its feature has given up.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "optimal/continuous/search.hpp"

namespace ramify::optimal::continuous {

template <class T>
class Thresholds {
  public:
    struct Point : End {
        Outcome branch[2];
        double cost() const { return branch[0].lower + branch[1].lower; }  // if both are exact
    };
    struct Interval {
        double lower;
        std::size_t feature;
        const Point* a;
        const Point* b;
        std::int32_t low, high;
        double promise;  // the least impurity after a split of the interval
        bool operator<(const Interval& other) const {  // for a heap with the least on top
            if (lower != other.lower) return lower > other.lower;
            if (promise != other.promise) return promise > other.promise;
            return feature != other.feature ? feature > other.feature : low > other.low;
        }
    };
    struct Job {  // a threshold to examine
        Interval interval;
        Point* point;
        double limit;
        bool found = false;
    };

    // Trees must cost less than `limit`. If `blunt`, bounds of branches beyond what was needed are
    // not used, because they depend on the contents of the cache.
    Thresholds(const Data& data, const Subset<T>& subset, int depth, std::int64_t leaves,
               double limit, const Hint& hint, bool blunt);

    std::optional<Job> next();
    void examine(Search<T>& search, Job& job) const;
    bool done(const Job& job);  // whether its tree is the best so far

    void at_most(double limit) { limit_ = std::min(limit_, limit); }  // another search found a tree
    double value() const { return value_; }
    NodeList tree() const;
    double open_lower() const;  // of the trees in open intervals
    double given_up() const;    // least bound of what was examined or given up
    void finish(Outcome& outcome) const;

    // Solves the branches of the best tree again, so that they do not depend on what else was
    // known.
    NodeList tree_anew(Search<T>& search) const;

  private:
    struct Feature {  // a column with a division of the leaves among the branches
        std::size_t slot;
        std::int64_t leaves[2];
        std::deque<Point> points;
        double lower;  // least bound given up or value found
    };

    Between between(const Interval& interval) const;
    double promise(const Interval& interval) const;
    bool keep(Interval& interval);
    double grown(const Outcome& branch, std::int64_t leaves, std::size_t column) const;
    bool worth_more(const Job& job, int solved) const;
    void bounds_by_column(const Job& job, int side, std::vector<double>& by_column) const;
    typename Search<T>::Branch branch(const Feature& feature, std::int32_t threshold,
                                      int side) const;

    const Data& data_;
    const Subset<T>& subset_;
    int depth_;
    bool blunt_;
    double limit_;
    double value_ = kInfinity;
    const Point* best_ = nullptr;  // of the best tree
    std::size_t best_feature_ = 0;
    std::vector<Curve> curves_;  // by slot
    std::deque<Feature> features_;
    std::vector<Interval> open_;  // a heap
    std::vector<double> given_;   // bounds by column from the hint
};

extern template class Thresholds<std::int16_t>;
extern template class Thresholds<std::int32_t>;

}  // namespace ramify::optimal::continuous
