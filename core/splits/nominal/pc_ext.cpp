#include "splits/nominal/pc_ext.hpp"

#include "splits/nominal/pc.hpp"
#include "splits/nominal/supervalues.hpp"

namespace ramify {

void scan_with_exchanges(const std::vector<std::size_t>& order, Side& side, BestPartition& best) {
    side.all_right();
    std::size_t cut = 0;
    bool exchanged = false;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        side.flip(order[i]);
        if (side.offer(best)) {
            cut = i + 1;
            exchanged = false;
        }
        side.flip(order[i]);
        side.flip(order[i + 1]);
        if (side.offer(best)) {
            cut = i + 1;
            exchanged = true;
        }
        side.flip(order[i + 1]);
        side.flip(order[i]);
    }
    if (cut == 0) return;
    std::vector<std::uint8_t> right(order.size(), 1);
    for (std::size_t i = 0; i < cut; ++i) right[order[i]] = 0;
    if (exchanged) std::swap(right[order[cut - 1]], right[order[cut]]);
    best.keep(right);
}

FoundSplit PrincipalComponentExtended::split(const Contingency& table,
                                             const Criterion& criterion) const {
    return on_supervalues(table, criterion, [&](const Contingency& merged) {
        BestPartition best(merged, criterion);
        Side side(merged, criterion, 2 * merged.levels);
        scan_with_exchanges(principal_order(merged), side, best);
        return best.result(false);
    });
}

}  // namespace ramify
