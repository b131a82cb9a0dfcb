// What a user lays down for growth: columns that may meet on a path, columns that are left out, and
// the beginning of the tree. Invariant: a set of columns has an entry for every column of the
// table; the children of a node of the skeleton come after it; its root is the first.
#pragma once

#include <cstdint>
#include <vector>

#include "table/table.hpp"
#include "tree/tree.hpp"

namespace ramify {

using ColumnSet = std::vector<bool>;

// A node that the tree begins with. A leaf of the skeleton is where growth goes on, unless it is
// closed.
struct SkeletonNode {
    ConditionKind kind = ConditionKind::leaf;
    std::int32_t attribute = -1;
    double threshold = 0.0;
    std::int32_t missing_to = -1;                // -1: as the rule for missing values says
    std::vector<std::int32_t> branch_of_code{};  // unless it is a threshold: one per level
    std::vector<std::int32_t> children{};        // one per branch
    bool closed = false;
    ColumnSet columns{};  // that growth may use from here on; empty: as above
};

struct Constraints {
    // A path may use columns that are all in one of these. Empty: any.
    std::vector<ColumnSet> groups{};
    ColumnSet columns{};  // that growth may use; empty: all
    std::vector<SkeletonNode> skeleton{};
};

// Throws std::invalid_argument if they do not fit the table.
void require_fit(const Constraints& constraints, const Table& table);

}  // namespace ramify
