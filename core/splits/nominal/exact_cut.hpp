// The best partition by a criterion that adds up pairs of levels on different sides (chi2_cut), of
// all partitions in Gray-code order. Invariant: 2^(n-1) - 1 of them, each scored once.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

FoundSplit exact_cut(const Contingency& table, const Criterion& criterion);

}  // namespace ramify
