// What thresholds of one column would gain at a node. Invariant: the gain of a threshold is that of
// the same split in growth, by the rules for missing values; rows are read once, whatever the
// number of thresholds.
#pragma once

#include <span>
#include <vector>

#include "edit/kept_rows.hpp"
#include "problem/problem.hpp"

namespace ramify {

// The thresholds ascend. A threshold with no row on one side gains nothing. Throws
// std::invalid_argument if the criterion does not add up over rows (ranks).
std::vector<double> threshold_gains(const Problem& problem, const KeptRows& rows,
                                    std::size_t column, std::span<const double> thresholds,
                                    Interrupt& interrupt);

}  // namespace ramify
