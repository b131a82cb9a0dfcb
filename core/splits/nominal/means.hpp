// Regression: order the levels by their mean target and scan; optimal for squared error (Fisher
// 1958). Reads moments (sum w, sum wy, sum wy^2) per level; the gain is the reduction of variance.
#pragma once

#include <cstddef>
#include <optional>

#include "splits/nominal/search.hpp"

namespace ramify {

FoundSplit split_by_means(std::size_t levels, const double* moments, const double* support,
                          double min_leaf);

// The best partition also where `min_leaf` rules out the best cut of that order. Means, brought to
// between zero and one, are shares of a class: then the drop of the Gini index is that of the
// variance but for a factor, and the exact search of two classes does the rest.
FoundSplit split_means_exactly(std::size_t levels, const double* moments, const double* support,
                               double min_leaf, Interrupt& interrupt);

// Variance of the node minus the weighted variance of the children.
double variance_reduction(const double* node, const double* children, std::size_t count);

}  // namespace ramify
