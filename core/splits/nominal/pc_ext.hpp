// Principal component, extended (Coppersmith, Hong and Hosking 1999; Pereira 2018, section 2.5.1):
// at every cut of the order of `pc`, the partition with the last level on the left and the first on
// the right exchanged is tried too. Invariant: the result is never worse than that of `pc`.
#pragma once

#include "splits/nominal/search.hpp"
#include "splits/nominal/side.hpp"

namespace ramify {

struct PrincipalComponentExtended final : NominalSearch {
    static constexpr NominalSearchInfo info{"pc_ext", "never worse than pc",
                                            "O(nk^2 + k^3 + n log n)",
                                            "Coppersmith et al. 1999; Pereira 2018, section 2.5.1"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

// The scan itself, for searches that build on it.
void scan_with_exchanges(const std::vector<std::size_t>& order, Side& side, BestPartition& best);

}  // namespace ramify
