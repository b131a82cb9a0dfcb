// Where growth begins if the rows of the table are those of one node of a larger tree. Invariant:
// what is grown from here is what the larger tree would have below that node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "node/plan.hpp"

namespace ramify {

struct Beginning {
    std::int32_t depth = 0;
    NodePlan plan{};
    std::vector<double> bounds{};  // see evaluate/branch_limits.hpp
    double all_weight = 0.0;       // of all rows of the larger tree
    // Its rows, if parts of rows are rounded (see Samples); 0: they are not.
    std::size_t grain_rows = 0;
    bool equal_weights = false;  // rows weigh nothing but their parts
    bool divides = false;        // some row of the larger tree may be divided
};

}  // namespace ramify
