// A condition of a growing tree, in words of the table. Invariant: levels are there only if it
// divides levels.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

struct BuiltCondition {
    ConditionKind kind = ConditionKind::leaf;
    std::int32_t attribute = -1;
    std::int32_t missing_to = -1;
    double threshold = 0.0;
    double gain = 0.0;
    std::vector<std::pair<std::int32_t, std::int32_t>> levels;  // code, branch
    // The logarithm of the p-value of the test that selected it.
    double log_p = std::numeric_limits<double>::quiet_NaN();
    bool forced = false;  // by a skeleton: no pruning may undo it
};

}  // namespace ramify
