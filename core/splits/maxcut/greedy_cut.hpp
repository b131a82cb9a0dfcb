// GreedyCut and then LocalSearch on the graph of the levels (Pereira 2018, algorithms 2 and 3).
// With squared_gini and chi2_cut the partition scores at least half of the best.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct GreedyCut final : NominalSearch {
    void require(const Criterion&, std::size_t) const override {}  // any criterion makes a graph
    std::optional<NominalSplit> split(const Contingency& table,
                                      const Criterion& criterion) const override;
};

}  // namespace ramify
