// Branch and bound over the trees of one node: a leaf, one split, depth two by counting, and deeper
// trees by examining thresholds where the bounds are lowest. Invariant: that of Outcome, whatever
// the hints. One object serves one thread.
#pragma once

#include <memory>
#include <vector>

#include "optimal/continuous/cache.hpp"
#include "optimal/continuous/depth_two.hpp"
#include "optimal/monitor.hpp"

namespace ramify::optimal::continuous {

template <class T>
class Search {
  public:
    Search(const Data& data, const Switches& switches, Cache& cache, Monitor& monitor)
        : data_(data),
          switches_(switches),
          cache_(cache),
          monitor_(monitor),
          depth_two_(data, monitor) {}

    // The best tree of `subset` that costs less than `budget`.
    Outcome solve(const Subset<T>& subset, int depth, std::int64_t leaves, double budget,
                  const Hint& hint);

    // Solves one branch of a split; key, loss as a leaf and number are those of its rows.
    struct Branch {
        const Subset<T>& parent;
        std::size_t slot;
        std::int32_t threshold;
        bool left;
        Key key;
        double leaf;
        std::size_t rows;
    };
    Outcome solve(const Branch& branch, int depth, std::int64_t leaves, double budget,
                  const Hint& hint);

    // The same, through the cache.
    Outcome solve_cached(const Subset<T>& subset, int depth, std::int64_t leaves, double budget,
                         const Hint& hint);

    Statistics statistics;

  private:
    const Data& data_;
    const Switches& switches_;
    Cache& cache_;
    Monitor& monitor_;
    DepthTwo<T> depth_two_;
    std::vector<std::unique_ptr<Subset<T>>> spare_;  // subsets not in use
};

// The cost of a tree for the rows of a subset; infinity if a leaf gets too few.
template <class T>
double cost_of(const Data& data, const Subset<T>& subset, const NodeList& tree);

extern template class Search<std::int16_t>;
extern template class Search<std::int32_t>;

}  // namespace ramify::optimal::continuous
