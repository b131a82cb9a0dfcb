#include "splits/nominal/hypercube_cover.hpp"

#include "splits/nominal/automatic.hpp"
#include "splits/nominal/scan.hpp"
#include "splits/nominal/superclasses.hpp"

namespace ramify {

FoundSplit HypercubeCover::split(const Contingency& table, const Criterion& criterion) const {
    const auto scan_all = [&](const Contingency& merged, bool) {
        BestPartition best(merged, criterion);
        Side side(merged, criterion, merged.levels << (classes_with_weight(merged) - 1));
        ShareOrder order;
        const bool all = for_each_superclass(merged, [&](const std::vector<double>& share) {
            order.sort(share);
            scan_order(order, side, best);
        });
        if (!all) search_heuristically(merged, criterion, side, best);
        return best.result(false);
    };
    return split_by_superclasses("hypercube_cover", table, criterion, scan_all);
}

}  // namespace ramify
