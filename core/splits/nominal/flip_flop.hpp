// Flip-flop: the best two superclasses for the current partition of the levels, then the best
// partition for these superclasses, in turn, until their joint table gains no more; both steps are
// two-class scans. Started from every class alone; of all partitions met, the one that scores best
// on the original classes (Nadas, Nahamoo, Picheny and Powell 1991; Pereira 2018, section 2.5.3).
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
