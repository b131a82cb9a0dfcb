// Principal component: order the levels by their score on the first principal component of the
// weighted covariance of the class-probability vectors, and scan (Coppersmith, Hong and Hosking
// 1999; Shi 2007, section 3.2.2). Invariant: the order does not depend on the sign of the
// eigenvector.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct PrincipalComponent final : NominalSearch {
    static constexpr NominalSearchInfo info{"pc", "none", "O(nk^2 + k^3 + n log n)",
                                            "Coppersmith et al. 1999; Pereira 2018, section 2.5.1"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

// The scores of the levels on the first principal component. The sign is chosen so that the first
// score other than zero is negative.
std::vector<double> principal_scores(const Contingency& table);
// The levels in ascending order of these scores.
std::vector<std::size_t> principal_order(const Contingency& table);

}  // namespace ramify
