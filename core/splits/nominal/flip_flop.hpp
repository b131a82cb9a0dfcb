// Flip-flop (Nadas, Nahamoo, Picheny and Powell 1991; Pereira 2018, section 2.5.3). In turn it
// finds the best two superclasses for the current partition of the levels, and the best partition
// for these superclasses, until their joint table gains no more. Both steps are two-class scans. It
// starts once from every class alone. Invariant: of all partitions met, it gives the one that
// scores best on the original classes.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

// The joint table is measured by entropy if that is the criterion, otherwise by the Gini index.
struct FlipFlop final : NominalSearch {
    static constexpr NominalSearchInfo info{"flip_flop", "none",
                                            "O(nk + n log n) a round, k starts",
                                            "Nadas et al. 1991; Pereira 2018, section 2.5.3"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

}  // namespace ramify
