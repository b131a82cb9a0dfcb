// The best of all partitions. Two classes: order and scan (Breiman et al. 1984), or by_size.hpp
// where a minimum of rows rules partitions out. Few levels: all partitions in Gray-code order. A
// convex score: the partitions that hyperplanes cut off, O(n^2) for three classes and O(n^3) for
// four (Pereira 2018, theorem 8). Otherwise branch and bound from the best heuristic partition,
// within a limit of work. Invariant: `proven` tells whether the limit sufficed.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct Exact final : NominalSearch {
    static constexpr NominalSearchInfo info{
        "exact",
        "optimal; reports whether that was proven within work_limit",
        "O(n log n) for k = 2, O(n^2 log n) for k = 3, O(n^3 log n) for k = 4, O(2^n) otherwise",
        "Breiman et al. 1984; Coppersmith et al. 1999; Pereira 2018, theorems 5 and 8",
        Takes::pairs,
        "chi2_cut of at most 20 levels"};

    static constexpr std::size_t most_pair_levels = 20;  // of a criterion that adds up pairs

    explicit Exact(const NominalSearchOptions& options) : work_limit(options.work_limit) {}

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override {
        return split_within(table, criterion, true);
    }
    // `insist`: where no method is sure to end within the limit, spend the rest of it on trying to
    // prove. Otherwise the heuristics have the last word.
    FoundSplit split_within(const Contingency& table, const Criterion& criterion,
                            bool insist) const;

    std::uint64_t work_limit;
};

}  // namespace ramify
