// The loss that judges the predictions of a problem's rows. Invariant: the judge reads the targets
// of the problem, which must outlive it.
#pragma once

#include <span>

#include "problem/problem.hpp"
#include "prune/loss.hpp"

namespace ramify {

// The problem's own loss: the cost of the class, or the error of numbers that its criterion
// reduces.
Judge judge_of(const Problem& problem, std::span<const double> costs);

// Another loss. Throws std::invalid_argument if it does not fit the target.
Judge judge_of(const Problem& problem, std::span<const double> costs, LossKind kind);

}  // namespace ramify
