// GreedyCut and then LocalSearch on the graph of the levels (Pereira 2018, algorithms 2 and 3).
// With squared_gini and chi2_cut the partition scores at least half of the best. Both depend on the
// order of the levels: a small graph is cut as well as possible instead, and a larger one from
// several orders, the first that of the table, the others drawn.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct GreedyCut final : NominalSearch {
    static constexpr std::size_t few_levels = 14;  // 8191 cuts
    static constexpr int orders = 4;

    explicit GreedyCut(const NominalSearchOptions& options) : seed(options.seed) {}

    void require(const Criterion&, std::size_t) const override {}  // any criterion makes a graph
    std::optional<NominalSplit> split(const Contingency& table,
                                      const Criterion& criterion) const override;

    std::uint64_t seed;
};

// As published: once, in the order of the table, whatever its size.
struct GreedyCutOnce final : NominalSearch {
    void require(const Criterion&, std::size_t) const override {}
    std::optional<NominalSplit> split(const Contingency& table,
                                      const Criterion& criterion) const override;
};

}  // namespace ramify
