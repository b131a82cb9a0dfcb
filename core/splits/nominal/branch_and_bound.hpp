// Branch and bound over the sides of the levels, one level after the other, for criteria that are
// the drop of a concave impurity. Let g(x) be the weight of x times its impurity. Invariant: g is
// concave and homogeneous, so g(a + b) >= g(a) + g(b). So what the levels without a side will add
// is bounded level by level.
#pragma once

#include "splits/nominal/search.hpp"
#include "splits/nominal/side.hpp"

namespace ramify {

// Starts from what `best` holds and stops at its limit of work. A bound counts as one partition for
// every level that it adds up. Tells whether the optimum is proven.
bool branch_and_bound(const Contingency& table, const Criterion& criterion, Side& side,
                      BestPartition& best);

}  // namespace ramify
