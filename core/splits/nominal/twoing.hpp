// Twoing (Breiman et al. 1984, section 4.3; Pereira 2018, section 2.4.2): for every pair of
// superclasses, order by superclass share and scan with the two-class Gini. Where the levels have
// fewer partitions than that, all are tried. Invariant: the partition has the largest twoing value
// of all. Its score is that of the criterion.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct TwoingSearch final : NominalSearch {
    static constexpr NominalSearchInfo info{"twoing",
                                            "optimal for the twoing value",
                                            "O(min(2^k n log n, 2^n k))",
                                            "Breiman et al. 1984; Pereira 2018, section 2.4.2",
                                            Takes::sums,
                                            "at most 20 classes or 20 levels"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

}  // namespace ramify
