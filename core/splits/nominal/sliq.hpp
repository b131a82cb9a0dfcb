// SLIQ: all levels start on the left; the one whose move to the right scores best is moved, while
// that improves the score (Mehta, Agrawal and Rissanen 1996). The extended form goes on until the
// left is empty and gives the best partition on the way (Coppersmith, Hong and Hosking 1999; both
// Pereira 2018, section 2.5.2).
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

// The first move is made in any case, and moves go on while too few rows are on the right.
struct Sliq final : NominalSearch {
    static constexpr NominalSearchInfo info{"sliq", "none", "O(n^2 k)",
                                            "Mehta et al. 1996; Pereira 2018, section 2.5.2"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

// Moves the level of the best score one after the other, on a table of supervalues; `extended`: to
// the end.
void move_one_by_one(const Contingency& table, const Criterion& criterion, bool extended,
                     BestPartition& best);

}  // namespace ramify
