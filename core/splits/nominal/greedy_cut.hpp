// GreedyCut and then LocalSearch on the graph of the levels (Pereira 2018, algorithms 2 and 3).
// Both depend on the order of the levels. So a small graph is cut in the best way instead, and a
// larger one is cut from several orders: that of the table, and random ones. Invariant: with
// squared_gini and chi2_cut the partition scores at least half of the best.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct GreedyCut final : NominalSearch {
    static constexpr NominalSearchInfo info{
        "greedy_cut",
        "the largest cut of up to 14 levels, else at least half of it (squared_gini, chi2_cut)",
        "O(n^2 k) a pass of the local search, 4 orders",
        "Pereira 2018, section 3.1, algorithms 2 and 3",
        Takes::pairs,
        "made for squared_gini and chi2_cut"};

    static constexpr std::size_t few_levels = 14;  // 8191 cuts
    static constexpr int orders = 4;

    explicit GreedyCut(const NominalSearchOptions& options) : seed(options.seed) {}

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;

    std::uint64_t seed;
};

// As published: once, in the order of the table, for tables of any size.
struct GreedyCutOnce final : NominalSearch {
    static constexpr NominalSearchInfo info{
        "greedy_cut_once",
        "at least half of the largest cut (squared_gini, chi2_cut)",
        "O(n^2 k) a pass of the local search",
        "Pereira 2018, section 3.1, algorithms 2 and 3",
        Takes::pairs,
        "made for squared_gini and chi2_cut"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

}  // namespace ramify
