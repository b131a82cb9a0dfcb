// Two classes: order the levels by the share of the second class and scan. Optimal for every
// concave impurity (Breiman et al. 1984, theorem 4.5).
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct TwoClass final : NominalSearch {
    void require(const Criterion& criterion, std::size_t classes) const override;
    std::optional<NominalSplit> split(const Contingency& table,
                                      const Criterion& criterion) const override;
};

}  // namespace ramify
