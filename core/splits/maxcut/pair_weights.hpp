// The weight of two levels as a measure of the benefit of separating them: the criterion's score of
// the two as children of a node of just these two (Pereira 2018, section 3.2.2). Chi-square grows
// with the rows and is taken as it is; any other score is a mean over the rows of the pair and is
// multiplied by their share of the node, since otherwise two levels of one row each would count as
// much as the two largest. Invariant: symmetric, not negative, zero on the diagonal.
#pragma once

#include <vector>

#include "counts/contingency.hpp"
#include "criteria/criterion.hpp"
#include "splits/maxcut/cut.hpp"

namespace ramify {

// Levels x levels, row by row. `min_support` is about branches, so it has no say here.
std::vector<double> pair_weights(const Contingency& table, const Criterion& criterion);

// The score of a partition by a criterion that adds up pairs (chi2_cut): the weight of the pairs
// that it separates, divided by the number of levels less one. A side whose largest class is below
// the criterion's `min_support` contributes nothing, which is its levels' terms of every pair.
double pair_score(const Contingency& table, const Criterion& criterion,
                  const std::vector<double>& weights, const std::vector<CutSide>& sides);

}  // namespace ramify
