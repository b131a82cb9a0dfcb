// The risk of a node as a leaf, on the training rows: what pruning weighs against size. Invariant:
// the risks of the leaves add up to that of the tree.
#pragma once

#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

// For classes: the wrong rows (or their cost), the impurity, or the mean squared error of the class
// shares. For numbers there is one kind: the error that the criterion reduces.
enum class Risk { error, impurity, brier };

// The risk of every node, divided by the weight of the root.
std::vector<double> node_risk(const Tree& tree, Risk kind, std::span<const double> costs);

}  // namespace ramify
