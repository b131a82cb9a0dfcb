// By which loss the predictions of a problem's rows are judged.
// Invariant: the judge reads the targets of the problem, which must outlive it.
#pragma once

#include <span>

#include "grow/problem.hpp"
#include "prune/loss.hpp"

namespace ramify {

// By the problem's own loss: the cost of the class, the squared or the absolute error.
Judge judge_of(const Problem& problem, std::span<const double> costs);

// By another one. Throws std::invalid_argument if it is not one of classes, or of numbers.
Judge judge_of(const Problem& problem, std::span<const double> costs, LossKind kind);

}  // namespace ramify
