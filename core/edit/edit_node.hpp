// A node of a tree that is edited. Invariant: it never changes once its tree is made, so that
// versions of a tree share the nodes that an edit leaves alone; leaves have rows, inner nodes have
// children.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "edit/kept_rows.hpp"
#include "node/built_condition.hpp"
#include "problem/constraints.hpp"

namespace ramify {

// What the rows of a node say.
struct NodeNumbers {
    std::int64_t rows = 0;
    double weight = 0.0;
    double impurity = 0.0;
    double prediction = std::numeric_limits<double>::quiet_NaN();
    double spread = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> value{};
};

struct EditNode;
using SharedNode = std::shared_ptr<const EditNode>;

struct EditNode {
    NodeNumbers numbers{};
    double proportion = 1.0;  // of the known rows of its parent
    std::int64_t tag = -1;    // what the caller knows it by
    BuiltCondition condition{};
    // The branch of every level, also of those that no row of the node has; empty for a threshold.
    std::vector<std::int32_t> branch_of_code{};
    std::vector<BuiltCondition> competitors{};
    std::vector<SharedNode> children{};
    LeafRows rows{};

    bool leaf() const { return children.empty(); }
};

}  // namespace ramify
