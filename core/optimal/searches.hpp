// The two searches behind solve(): over columns of two codes, and over all thresholds of columns
// with more (Quant-BnB, ConTree). Invariant: both leave the monitor with the last objective and
// bound.
#pragma once

#include "optimal/monitor.hpp"
#include "optimal/problem.hpp"

namespace ramify::optimal {

Result solve_continuous(const OptimalProblem& problem, const Limits& limits,
                        const Switches& switches, Monitor& monitor);
Result solve_binary(const OptimalProblem& problem, const Limits& limits, const Switches& switches,
                    Monitor& monitor);

}  // namespace ramify::optimal
