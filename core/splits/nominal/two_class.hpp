// Two classes: order the levels by the share of the second class and scan. Invariant: the cut is
// optimal for every concave impurity (Breiman et al. 1984, theorem 4.5).
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct TwoClass final : NominalSearch {
    static constexpr NominalSearchInfo info{
        "two_class",
        "optimal for a concave impurity, unless min_samples_leaf rules partitions out",
        "O(n log n)",
        "Breiman et al. 1984; Pereira 2018, theorem 5",
        Takes::sums,
        "two classes",
        2};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

}  // namespace ramify
