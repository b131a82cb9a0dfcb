// Branch and bound over the sides of the levels, one after the other, for a drop of a concave
// impurity. With g(x) the weight of x times its impurity, g is concave and homogeneous, so
// g(a + b) >= g(a) + g(b): what the levels without a side will add can be bounded one by one.
#pragma once

#include "splits/nominal/search.hpp"
#include "splits/nominal/side.hpp"

namespace ramify {

// Starts from what `best` already holds and stops where its work would exceed its limit; a bound
// counts as the partitions of the levels that it is made of. Whether the optimum is proven.
bool branch_and_bound(const Contingency& table, const Criterion& criterion, Side& side,
                      BestPartition& best);

}  // namespace ramify
