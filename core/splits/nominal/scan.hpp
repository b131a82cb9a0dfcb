// "Order and scan" on a table of supervalues: the prefixes of the levels in a given order are
// scored with the criterion on all classes.
#pragma once

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
    for (std::size_t i = 0; i + 1 < levels; ++i) {
        side.flip(order[i]);
        if (side.offer(best)) cut = i + 1;
    }
    if (cut == 0) return false;
    std::vector<std::uint8_t> right(levels, 1);
    for (std::size_t i = 0; i < cut; ++i) right[order[i]] = 0;
    best.keep(right);
    return true;
}

// The share of every level's weight that falls on the classes marked in `superclass`.
inline std::vector<double> superclass_share(const Contingency& table,
                                            const std::vector<std::uint8_t>& superclass) {
    std::vector<double> share(table.levels);
    for (std::size_t i = 0; i < table.levels; ++i) {
        const double* row = table.counts + i * table.classes;
        double inside = 0.0;
        double all = 0.0;
        for (std::size_t j = 0; j < table.classes; ++j) {
            all += row[j];
            if (superclass[j] != 0) inside += row[j];
        }
        share[i] = inside / all;
    }
    return share;
}

// Orders the supervalues by their share of one superclass and scans, on the original classes.
template <typename Superclass>
std::optional<NominalSplit> split_by_superclass(const Contingency& table,
                                                const Criterion& criterion,
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
