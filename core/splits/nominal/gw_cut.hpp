// Goemans and Williamson's randomised cut of the graph of the levels (Pereira 2018, section 3.1),
// then LocalSearch. Invariant: with squared_gini and chi2_cut the partition scores at least 0.878
// of the best, on average over the seeds.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct GoemansWilliamsonCut final : NominalSearch {
    static constexpr NominalSearchInfo info{
        "gw_cut",
        "in expectation at least 0.878 of the largest cut (squared_gini, chi2_cut)",
        "O(n^2 k + n^2 sqrt(n)) a sweep of the semidefinite program",
        "Goemans and Williamson 1995; Pereira 2018, section 3.1",
        Takes::pairs,
        "made for squared_gini and chi2_cut"};

    explicit GoemansWilliamsonCut(const NominalSearchOptions& options) : seed(options.seed) {}

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;

    std::uint64_t seed;
};

}  // namespace ramify
