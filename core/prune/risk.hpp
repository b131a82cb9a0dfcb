// The risk of a node as a leaf, on the training rows: what pruning weighs against size.
#pragma once

#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

// Per node, as a share of the root's weight: the errors (or their cost) of the predicted class, in
// regression the squared or absolute error; or, if asked for, the impurity.
std::vector<double> node_risk(const Tree& tree, bool impurity, std::span<const double> costs);

}  // namespace ramify
