// Improves a tree branch by branch, where all trees are too many to try. A branch of three levels
// is searched exactly, over so many thresholds as the work allows; a higher one by trees of limited
// discrepancy, of which a branch can afford more than the whole tree. Invariant: the cost of the
// tree never rises, and it keeps its limits. Branches that are known to be the best are not
// searched again.
#pragma once

#include <map>

#include "optimal/continuous/discrepancy.hpp"

namespace ramify::optimal::continuous {

template <class T>
class Refine {
  public:
    Refine(const Data& data, Search<T>& search) : data_(data), search_(search) {}

    // The tree with better branches. `work` is the number of nodes of depth two that a branch may
    // solve.
    NodeList operator()(const Subset<T>& all, const NodeList& tree, Extent extent, double work);

    // After Halt: the tree with the branches that were improved before.
    const NodeList& partial() const { return partial_; }

  private:
    NodeList branch(const Subset<T>& subset, NodeList tree, Extent extent);
    NodeList three_levels(const Subset<T>& subset, const NodeList& tree, Extent extent,
                          double cost);
    int affordable(int depth) const;

    const Data& data_;
    Search<T>& search_;
    double work_ = 0.0;
    std::map<Key, NodeList> settled_;  // the best trees of branches
    NodeList partial_;
};

// The most nodes of depth two in a pass with so many discrepancies.
double ways_to_spend(int discrepancies, int depth);

extern template class Refine<std::int16_t>;
extern template class Refine<std::int32_t>;

}  // namespace ramify::optimal::continuous
