// Largest class alone: the superclasses are the heaviest class and all others, and one order is
// scanned. Invariant: the impurity is at most twice the least for Gini, and three times for entropy
// (Laber, Molinaro and Pereira 2018; Pereira 2018, section 2.5.5).
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct LargestClassAlone final : NominalSearch {
    static constexpr NominalSearchInfo info{
        "largest_class_alone", "at most 2 x (gini) or 3 x (entropy) the least impurity",
        "O(nk + n log n)", "Laber et al. 2018; Pereira 2018, section 2.5.5"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

std::vector<std::uint8_t> largest_class(const Contingency& table);  // marked; ties to the first

}  // namespace ramify
