// The search of Shi's best-first trees (2007, section 3.2.2; BFTree and SimpleCart in Weka): all
// partitions of up to four levels; for more levels, the order by class share if there are two
// classes, and the first principal component otherwise. Invariant: it is optimal for up to four
// levels.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct Shi final : NominalSearch {
    static constexpr NominalSearchInfo info{
        "shi", "optimal for up to four levels, and for two classes and a concave impurity",
        "O(nk^2 + k^3 + n log n)", "Shi 2007, section 3.2.2"};

    static constexpr std::size_t few_levels = 4;

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

}  // namespace ramify
