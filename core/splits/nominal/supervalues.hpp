// Supervalues: searches treat levels with the same class distribution as one level, since
// separating them gains nothing by any impurity (Coppersmith, Hong and Hosking 1999). Invariant:
// the merged table has at least two rows if the given one has; its first row holds the first level.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

class Supervalues {
  public:
    // Classes without weight are left out unless the criterion needs all classes.
    Supervalues(const Contingency& table, const Criterion& criterion);

    const Contingency& table() const { return merged_; }
    // Turns sides of supervalues into sides of levels.
    void expand(NominalSplit& split) const;

  private:
    void copy(const Contingency& table, const std::vector<std::size_t>& classes);

    Contingency merged_;
    std::vector<std::uint32_t> group_;  // per level; empty: every level is its own
    std::vector<double> counts_, support_, weight_, total_;
};

// Runs `search` on the merged table and gives its result in levels.
template <typename Search>
FoundSplit on_supervalues(const Contingency& table, const Criterion& criterion, Search&& search) {
    const Supervalues merged(table, criterion);
    FoundSplit split = search(merged.table());
    if (split) merged.expand(*split);
    return split;
}

}  // namespace ramify
