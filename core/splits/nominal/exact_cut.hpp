// The best of all partitions by a criterion that adds up pairs of levels on different sides
// (chi2_cut). Invariant: the 2^(n-1) - 1 partitions are scored once each, in Gray-code order.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

FoundSplit exact_cut(const Contingency& table, const Criterion& criterion);

}  // namespace ramify
