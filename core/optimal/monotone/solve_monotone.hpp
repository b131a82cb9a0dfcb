// The optimal tree whose predictions keep an order. Invariant: that of solve(), and the tree of the
// result keeps the order.
#pragma once

#include "optimal/laid_down.hpp"
#include "optimal/monotone/order.hpp"
#include "optimal/solve.hpp"

namespace ramify::optimal {

// `columns`: the column of the table that each column of the problem asks about. A start that
// breaks the order is cut back where it does.
Result solve_monotone(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
                      const Table& cells, const monotone::Signs& signs, const Limits& limits,
                      const Switches& switches, Monitor::Hooks hooks);

// The same below a beginning that is laid down. The nodes of the whole stay empty.
struct LaidResult {
    Result whole;
    bool found = false;                // whether there was time for any tree
    std::vector<NodeList> trees;       // of the branches of the tree; of others empty
    std::vector<std::int32_t> chosen;  // of each choice of the tree, the part
};

// `limits.max_leaves` counts the leaves of all branches together.
LaidResult solve_monotone_below(const OptimalProblem& problem,
                                const std::vector<std::int32_t>& columns, const Table& cells,
                                const monotone::Signs& signs, const LaidDown& parts,
                                const Limits& limits, const Switches& switches,
                                Monitor::Hooks hooks);

}  // namespace ramify::optimal
