// The least loss for every number of leaves, in one search: all numbers share what is known of
// their subproblems, and each tree starts the search of one leaf more. Invariant: the losses of the
// results never rise; a result is proven, or its bound holds for every tree of so many leaves.
#pragma once

#include <vector>

#include "optimal/monitor.hpp"
#include "optimal/problem.hpp"

namespace ramify::optimal {

// The results for at most 1, 2, ... limits.max_leaves leaves, as far as more leaves lower the loss.
// `limits.sparsity` and `limits.upper_bound` must be without effect.
std::vector<Result> solve_front(const OptimalProblem& problem, const Limits& limits,
                                const Switches& switches, Monitor::Hooks hooks);

}  // namespace ramify::optimal
