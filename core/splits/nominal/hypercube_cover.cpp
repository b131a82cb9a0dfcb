#include "splits/nominal/hypercube_cover.hpp"

#include "splits/nominal/scan.hpp"
#include "splits/nominal/superclasses.hpp"

namespace ramify {

void HypercubeCover::require(const Criterion& criterion, std::size_t classes) const {
    NominalSearch::require(criterion, classes);
    require_few_classes("hypercube_cover", classes);
}

std::optional<NominalSplit> HypercubeCover::split(const Contingency& table,
                                                  const Criterion& criterion) const {
    return on_supervalues(table, criterion, [&](const Contingency& merged) {
        BestPartition best(merged, criterion);
        Side side(merged, criterion, merged.levels << (merged.classes - 1));
        ShareOrder order;
        for_each_superclass(merged, [&](const std::vector<double>& share) {
            order.sort(share);
            scan_order(order, side, best);
        });
        return best.result(false);
    });
}

}  // namespace ramify
