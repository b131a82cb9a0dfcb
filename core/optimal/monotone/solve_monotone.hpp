// The optimal tree whose predictions keep an order. Invariant: that of solve(), and the tree of the
// result keeps the order.
#pragma once

#include "optimal/monotone/order.hpp"
#include "optimal/solve.hpp"

namespace ramify::optimal {

// `columns`: the column of the table that each column of the problem asks about. A start that
// breaks the order is cut back where it does.
Result solve_monotone(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
                      const Table& cells, const monotone::Signs& signs, const Limits& limits,
                      const Switches& switches, Monitor::Hooks hooks);

}  // namespace ramify::optimal
