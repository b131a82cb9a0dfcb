// "Order and scan" on a table of supervalues: the prefixes of the levels in a given order are
// scored with the criterion on all classes. Invariant: of prefixes that tie, the first is kept.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "splits/nominal/order.hpp"
#include "splits/nominal/side.hpp"
#include "splits/nominal/supervalues.hpp"

namespace ramify {

// `order[i]`: the level at position i. Gives whether some prefix became the best partition.
template <typename Order>
bool scan_order(const Order& order, Side& side, BestPartition& best) {
    side.all_right();
    std::size_t cut = 0;
    const std::size_t levels = side.right().size();
    // Where the score rises from prefix to prefix, every step would be scored in full. So the
    // prefix that is best by estimate waits until a better one comes or the scan ends.
    std::vector<double> waiting;  // class weights of the left, one after the other
    std::vector<std::pair<std::size_t, double>> at;  // their cuts and supports
    double highest = -std::numeric_limits<double>::infinity();
    const auto score_waiting = [&] {
        for (std::size_t w = 0; w < at.size(); ++w) {
            const double* sums = waiting.data() + w * side.sums().size();
            if (best.offer(sums, at[w].second)) cut = at[w].first;
        }
        waiting.clear();
        at.clear();
    };
    constexpr std::size_t ahead = 3;  // rows that are fetched from memory ahead
    for (std::size_t i = 0; i + 1 < levels; ++i) {
        if (i + ahead < levels) side.fetch(order[i + ahead]);
        side.flip(order[i]);
        const double estimate = side.estimate();
        if (!best.feasible(side.support()) ||
            estimate + side.margin() <= std::max(best.irrelevant(), highest)) {
            best.pass();
            continue;
        }
        if (std::isfinite(estimate)) {
            if (estimate > highest + side.margin()) {
                best.pass(at.size());
                waiting.clear();
                at.clear();
            }
            highest = std::max(highest, estimate);
        }
        waiting.insert(waiting.end(), side.sums().begin(), side.sums().end());
        at.emplace_back(i + 1, side.support());
        if (at.size() == 64) score_waiting();
    }
    score_waiting();
    if (cut == 0) return false;
    std::vector<std::uint8_t> right(levels, 1);
    for (std::size_t i = 0; i < cut; ++i) right[order[i]] = 0;
    best.keep(right);
    return true;
}

// The share of every level's weight that falls on the classes marked in `superclass`.
inline std::vector<double> superclass_share(const Contingency& table,
                                            const std::vector<std::uint8_t>& superclass) {
    std::vector<std::size_t> classes;
    for (std::size_t j = 0; j < table.classes; ++j) {
        if (superclass[j] != 0) classes.push_back(j);
    }
    std::vector<double> share(table.levels);
    for (std::size_t i = 0; i < table.levels; ++i) {
        const double* row = table.counts + i * table.classes;
        double inside = 0.0;
        for (const std::size_t j : classes) inside += row[j];
        share[i] = inside / table.weight[i];
    }
    return share;
}

// Orders the supervalues by their share of one superclass and scans, on the original classes.
template <typename Superclass>
FoundSplit split_by_superclass(const Contingency& table, const Criterion& criterion,
                               Superclass&& superclass) {
    return on_supervalues(table, criterion, [&](const Contingency& merged) {
        BestPartition best(merged, criterion);
        Side side(merged, criterion, merged.levels);
        ShareOrder order;
        order.sort(superclass_share(merged, superclass(merged)));
        scan_order(order, side, best);
        return best.result(false);
    });
}

}  // namespace ramify
