// From a contingency table to the graph of its levels and back. It chooses the form of the graph,
// lets `search` cut it, and scores the partition by the criterion itself, so that attributes can be
// compared. Invariant: the partition has min_leaf rows on both sides, or there is none.
#pragma once

#include <optional>

#include "criteria/squared_gini.hpp"
#include "splits/maxcut/balance.hpp"
#include "splits/maxcut/pair_cut.hpp"
#include "splits/maxcut/pair_weights.hpp"
#include "splits/maxcut/squared_gini_cut.hpp"
#include "splits/nominal/search.hpp"

namespace ramify {

// `proven`: no cut of the graph weighs more.
inline FoundSplit score_cut(const Contingency& table, const Criterion& criterion,
                            const std::vector<CutSide>& sides, bool proven) {
    std::vector<double> left(table.classes, 0.0);
    double left_support = 0.0;
    for (std::size_t i = 0; i < table.levels; ++i) {
        if (sides[i] != 0) continue;
        left_support += table.support[i];
        for (std::size_t x = 0; x < table.classes; ++x)
            left[x] += table.counts[i * table.classes + x];
    }
    BestPartition best(table, criterion);
    if (best.offer(left.data(), left_support)) best.keep(sides);
    return best.result(table.levels == 2 || proven);
}

// `search(cut, balance, work)` puts every level of the cut on a side, and tells whether no cut
// weighs more.
template <typename Search>
FoundSplit split_by_cut(const Contingency& table, const Criterion& criterion, Search&& search) {
    Balance balance(table.support, table.levels, table.min_leaf);
    std::uint64_t work = 0;
    FoundSplit split;
    // `is_score`: the weight of the cut is proportional to the score.
    const auto run = [&](auto cut, bool is_score) {
        const bool maximum = search(cut, balance, work);
        balance.count(cut);
        const bool proven = maximum && is_score && criterion.min_support <= 0.0;
        if (balance.feasible()) split = score_cut(table, criterion, sides_of(cut), proven);
    };
    if (table.levels < 2) return split;
    if (const auto* squared = dynamic_cast<const SquaredGini*>(&criterion)) {
        run(SquaredGiniCut(table.counts, table.levels, table.classes, squared->index.costs), true);
    } else {
        const std::vector<double> weights = pair_weights(table, criterion);
        run(PairCut(weights, table.levels), !criterion.sums_suffice());
        if (split && !criterion.sums_suffice())
            split->score = pair_score(table, criterion, weights, split->right);
    }
    if (split) split->work = work;
    return split;
}

}  // namespace ramify
