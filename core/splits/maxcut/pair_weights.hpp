// The weight of a pair of levels says how much separating them is worth: it is the criterion's
// score of the two as children of a node that has no other levels (Pereira 2018, section 3.2.2). A
// score that counts rows is taken as it is. Any other score is a mean over the rows of the pair, so
// it is multiplied by their share of the node. Otherwise two levels of one row each would count as
// much as the two largest. Invariant: symmetric, not negative, zero on the diagonal.
#pragma once

#include <vector>

#include "counts/contingency.hpp"
#include "criteria/criterion.hpp"
#include "splits/maxcut/cut.hpp"

namespace ramify {

// Levels x levels, row by row. `min_support` concerns branches only and plays no part here.
std::vector<double> pair_weights(const Contingency& table, const Criterion& criterion);

// The score of a partition by a criterion that adds up pairs (chi2_cut): the weight of the pairs
// that it separates, divided by the number of levels less one. If the largest class of a side is
// below the criterion's `min_support`, the terms of its levels drop out of every pair.
double pair_score(const Contingency& table, const Criterion& criterion,
                  const std::vector<double>& weights, const std::vector<CutSide>& sides);

}  // namespace ramify
