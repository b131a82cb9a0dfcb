// SLIQ, extended (Coppersmith, Hong and Hosking 1999; Pereira 2018, section 2.5.2): levels move to
// the right one by one until the left is empty. Invariant: it gives the best partition on the way,
// which is never worse than that of `sliq`.
#pragma once

#include "splits/nominal/sliq.hpp"
#include "splits/nominal/supervalues.hpp"

namespace ramify {

struct SliqExtended final : NominalSearch {
    static constexpr NominalSearchInfo info{"sliq_ext", "never worse than sliq", "O(n^2 k)",
                                            "Coppersmith et al. 1999; Pereira 2018, section 2.5.2"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override {
        return on_supervalues(table, criterion, [&](const Contingency& merged) {
            BestPartition best(merged, criterion, moves_within_limit(merged));
            move_one_by_one(merged, criterion, true, best);
            return best.result(false);
        });
    }
};

}  // namespace ramify
