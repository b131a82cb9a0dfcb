// Regression: order the levels by their mean target and scan. It reads the moments (sum w, sum wy,
// sum wy^2) of every level; the gain is the reduction of variance. Invariant: the cut is optimal
// for squared error (Fisher 1958).
#pragma once

#include <cstddef>
#include <optional>

#include "splits/nominal/search.hpp"

namespace ramify {

FoundSplit split_by_means(std::size_t levels, const double* moments, const double* support,
                          double min_leaf);

// The best partition even where `min_leaf` rules out the best cut of that order. Means that are
// scaled to lie between zero and one can be read as shares of a class. Then the drop of the Gini
// index is that of the variance up to a factor, and the exact search for two classes does the rest.
FoundSplit split_means_exactly(std::size_t levels, const double* moments, const double* support,
                               double min_leaf, Interrupt& interrupt);

}  // namespace ramify
