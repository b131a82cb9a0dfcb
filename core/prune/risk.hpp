// The risk of a node as a leaf, on the training rows: what pruning weighs against size.
#pragma once

#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

// Of classes: the wrong rows (or their cost), the impurity, or the mean squared error of the class
// shares, over all classes. A number has one kind, its squared or absolute error.
enum class Risk { error, impurity, brier };

// Per node, as a share of the root's weight.
std::vector<double> node_risk(const Tree& tree, Risk kind, std::span<const double> costs);

}  // namespace ramify
