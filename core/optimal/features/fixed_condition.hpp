// A condition that is laid down, not searched for. Invariant: it sends every row whose value is
// known to one branch; rows without a value go to `missing_to`, which must be known if there are
// any.
#pragma once

#include <cstdint>
#include <vector>

#include "table/table.hpp"
#include "tree/tree.hpp"

namespace ramify::optimal {

struct FixedCondition {
    ConditionKind kind = ConditionKind::threshold;
    std::int32_t column = -1;
    double threshold = 0.0;
    std::int32_t missing_to = -1;
    std::vector<std::int32_t> branch_of_code;  // unless it is a threshold: one per level
    std::int32_t branches = 2;

    std::int32_t branch_of(const Table& table, std::uint32_t row) const {
        const Column& cells = table[static_cast<std::size_t>(column)];
        if (cells.missing(row)) return missing_to;
        if (kind == ConditionKind::threshold) return cells.value(row) <= threshold ? 0 : 1;
        return branch_of_code[static_cast<std::size_t>(cells.codes[row])];
    }
};

// A node of a tree of splits with such a condition. Its first child is `left`; the children, one
// for each branch that has rows, follow each other, `right` of them.
inline constexpr std::int32_t fixed_node(std::size_t condition) {
    return -2 - static_cast<std::int32_t>(condition);
}
inline constexpr bool is_fixed(std::int32_t column) {
    return column <= -2;
}
inline constexpr std::size_t fixed_of(std::int32_t column) {
    return static_cast<std::size_t>(-2 - column);
}

}  // namespace ramify::optimal
