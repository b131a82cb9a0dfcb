// Hypercube cover: for every pair of superclasses, order by superclass share and scan with the
// criterion on the original classes. Where the levels have fewer partitions than that, all
// partitions are tried. Invariant: for Gini and entropy, the impurity is at most twice the least
// (Laber, Molinaro and Pereira 2018; Pereira 2018, section 2.5.4).
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct HypercubeCover final : NominalSearch {
    static constexpr NominalSearchInfo info{"hypercube_cover",
                                            "at most 2 x the least impurity (gini, entropy)",
                                            "O(min(2^k n (k + log n), 2^n k))",
                                            "Laber et al. 2018; Pereira 2018, section 2.5.4",
                                            Takes::sums,
                                            "at most 20 classes or 20 levels"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

}  // namespace ramify
