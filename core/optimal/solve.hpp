// The optimal tree of a problem: branch and bound over binary features (binary/), or over all
// thresholds of columns with more than two codes (continuous/).
// Invariant: the tree of the result keeps every limit, and its objective is that of its nodes.
#pragma once

#include "optimal/monitor.hpp"
#include "optimal/problem.hpp"

namespace ramify::optimal {

Result solve(const OptimalProblem& problem, const Limits& limits, const Switches& switches,
             Monitor::Hooks hooks);

// Tightens the limits: no tree has more leaves than its rows can fill, or is deeper than its leaves
// allow. A tree that is below the upper bound by rounding alone does not count as below.
Limits tightened(const OptimalProblem& problem, Limits limits);

// The loss of a tree with the best predictions in its leaves, plus `sparsity` for each.
double objective_of(const OptimalProblem& problem, const Limits& limits, const NodeList& nodes);

// Whether a tree keeps the limits on depth, number of leaves and size of leaves.
bool keeps_limits(const OptimalProblem& problem, const Limits& limits, const NodeList& nodes);

}  // namespace ramify::optimal
