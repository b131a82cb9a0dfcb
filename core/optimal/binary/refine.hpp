// Improves a tree branch by branch, where all trees are too many to try. Small branches come first,
// and each is searched with growing discrepancy until its share of the work is spent or it is
// proven. Invariant: the value of the tree never rises, and it keeps its limits. What is found is
// kept in the cache, so that later passes build on it.
#pragma once

#include <functional>
#include <utility>

#include "optimal/binary/search.hpp"

namespace ramify::optimal::binary {

// The next number of discrepancies to try.
std::int32_t more_discrepancies(std::int32_t budget, std::int32_t most);

class Refine {
  public:
    // `improved` is called after each improvement; collect() then gives the whole tree.
    Refine(Search& search, const BinaryTable& table, TreeStore& trees,
           std::function<void()> improved)
        : search_(search), table_(table), trees_(trees), improved_(std::move(improved)) {}

    struct Refined {
        double value;
        std::int32_t tree;
        bool best;  // no tree of these rows is better; without `itself`: both branches are best
    };

    // The tree with better branches below its first split; with `itself`, also with a better first
    // split, for which `work` is allowed (see Search::allow). A branch is allowed half of it.
    Refined operator()(const Word* cover, std::int32_t tree, int depth, std::int64_t leaves,
                       double work, bool itself);

    // The tree with the best branches that the cache knows; searches nothing.
    Refined collect(const Word* cover, std::int32_t tree, int depth, std::int64_t leaves);

  private:
    template <typename Branch>
    Refined with_branches(const Word* cover, std::int32_t tree, int depth, std::int64_t leaves,
                          Branch&& branch);
    void search(const Word* cover, int depth, std::int64_t leaves, double work, Refined& best);

    void take(const Answer& found, Refined& best);

    Search& search_;
    const BinaryTable& table_;
    TreeStore& trees_;
    std::function<void()> improved_;
};

}  // namespace ramify::optimal::binary
