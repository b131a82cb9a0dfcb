// SLIQ (Mehta, Agrawal and Rissanen 1996; Pereira 2018, section 2.5.2): all levels start on the
// left, and the level whose move to the right scores best moves, while that improves the score.
// Invariant: the first move is always made, and moves go on while the right has too few rows.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct Sliq final : NominalSearch {
    static constexpr NominalSearchInfo info{"sliq", "none", "O(n^2 k)",
                                            "Mehta et al. 1996; Pereira 2018, section 2.5.2"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

// On a table of supervalues: moves one level after the other, each time the one that scores best.
// `extended`: until the left is empty.
void move_one_by_one(const Contingency& table, const Criterion& criterion, bool extended,
                     BestPartition& best);
// How many moves may be tried.
std::uint64_t moves_within_limit(const Contingency& table);

}  // namespace ramify
