// The two searches behind solve(): over columns of two codes, and over all thresholds of columns
// with more (Quant-BnB, ConTree). A search can run again with another extent of its trees; what it
// remembers of subproblems serves all runs. Invariant: both leave the monitor with the last
// objective and bound.
#pragma once

#include <memory>

#include "optimal/extent.hpp"
#include "optimal/monitor.hpp"
#include "optimal/problem.hpp"

namespace ramify::optimal {

struct Run {
    const NodeList& start;  // may be empty
    Extent extent;          // of the trees that are searched, within the limits
    // All other trees cost at least this. No bound of the run is larger.
    double beyond = std::numeric_limits<double>::infinity();
};

class Solver {
  public:
    Solver() = default;
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;
    virtual ~Solver() = default;

    virtual Result run(const Run& run) = 0;
};

// All arguments must outlive the solver.
std::unique_ptr<Solver> make_solver(const OptimalProblem& problem, const Limits& limits,
                                    const Switches& switches, Monitor& monitor);
std::unique_ptr<Solver> make_binary_solver(const OptimalProblem& problem, const Limits& limits,
                                           const Switches& switches, Monitor& monitor);
std::unique_ptr<Solver> make_continuous_solver(const OptimalProblem& problem, const Limits& limits,
                                               const Switches& switches, Monitor& monitor);

}  // namespace ramify::optimal
