// What a user has laid down for a node, see problem/constraints.hpp. Invariant: a node that has a
// place in the skeleton is split by its condition; the columns of a node are among those of its
// parent.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace ramify {

// The columns that splits may use, here and below.
struct ColumnLimits {
    std::vector<bool> columns;
    std::vector<std::uint32_t> groups;  // that hold all columns of the path
};

struct NodePlan {
    std::int32_t place = -1;                       // in the skeleton
    bool closed = false;                           // it stays a leaf
    std::shared_ptr<const ColumnLimits> limits{};  // null: all columns
    std::vector<std::int32_t> below{};             // the places of its branches

    bool forced() const { return place >= 0; }
    // Whether every split below may use the same columns as the node.
    bool settled() const { return !forced() && (limits == nullptr || limits->groups.size() <= 1); }
    bool allows(std::size_t column) const { return limits == nullptr || limits->columns[column]; }
};

}  // namespace ramify
