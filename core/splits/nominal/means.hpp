// Regression: order the levels by their mean target and scan. It reads the moments (sum w, sum wy,
// sum wy^2) of every level. Invariant: the cut is optimal for squared error (Fisher 1958) and every
// other criterion whose impurity is a concave function of the mean plus a mean over the rows, as
// deviances are (Breiman et al. 1984, theorem 4.5; Chou 1991).
#pragma once

#include <cstddef>
#include <optional>

#include "splits/nominal/search.hpp"

namespace ramify {

// `scale`: that of gains at the node, for ties.
FoundSplit split_by_means(std::size_t levels, const double* moments, const double* support,
                          double min_leaf, const Criterion& criterion, double scale);

// The best partition even where `min_leaf` rules out the best cut of that order. Means that are
// scaled to lie between zero and one can be read as shares of a class. Then the drop of the Gini
// index is that of the variance up to a factor, a deviance is another concave index, and the exact
// search for two classes does the rest. Not for a criterion of WalkKind::any.
FoundSplit split_means_exactly(std::size_t levels, const double* moments, const double* support,
                               double min_leaf, const Criterion& criterion, double scale,
                               Interrupt& interrupt);

}  // namespace ramify
