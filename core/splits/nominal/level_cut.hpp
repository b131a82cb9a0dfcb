// From a contingency table to the graph of its levels and back. It chooses the form of the graph,
// lets `search` cut it, and scores the partition by the criterion itself, so that attributes can be
// compared. Of levels that are too many to make a graph of all pairs, the lightest are one.
// Invariant: the partition has min_leaf rows on both sides, or there is none.
#pragma once

#include <cmath>
#include <optional>

#include "criteria/squared_gini.hpp"
#include "splits/maxcut/balance.hpp"
#include "splits/maxcut/pair_cut.hpp"
#include "splits/maxcut/pair_weights.hpp"
#include "splits/maxcut/squared_gini_cut.hpp"
#include "splits/nominal/pooled_levels.hpp"
#include "splits/nominal/search.hpp"
#include "splits/work_limit.hpp"

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

// How many levels may be compared with each other.
inline std::size_t most_paired(const Contingency& table) {
    const std::uint64_t pairs = times_within(most_steps, 2 * table.classes + 32);
    return static_cast<std::size_t>(std::sqrt(static_cast<double>(pairs)));
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
    const auto* const squared = dynamic_cast<const SquaredGini*>(&criterion);
    if (squared == nullptr && table.levels > most_paired(table)) {
        const PooledLevels pooled(table.counts, table.support, table.levels, table.classes,
                                  most_paired(table));
        std::vector<double> weight;
        for (std::size_t l = 0; l < pooled.levels(); ++l) {
            weight.push_back(weight_of(pooled.sums() + l * table.classes, table.classes));
        }
        Contingency fewer = table;
        fewer.levels = pooled.levels();
        fewer.counts = pooled.sums();
        fewer.support = pooled.support();
        fewer.weight = weight.data();
        split = split_by_cut(fewer, criterion, search);
        if (split) split->right = pooled.expand(split->right);
        return split;
    }
    if (squared != nullptr) {
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
