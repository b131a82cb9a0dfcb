#include "problem/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ramify {
namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("constraints: ") + what);
}

bool fits(const ColumnSet& set, const Table& table, bool may_be_empty) {
    return set.size() == table.size() || (may_be_empty && set.empty());
}

void require_condition(const SkeletonNode& node, const Table& table) {
    require(node.attribute >= 0 && static_cast<std::size_t>(node.attribute) < table.size(),
            "no such column");
    const auto branches = static_cast<std::int32_t>(node.children.size());
    require(branches >= 2 && !node.closed, "a condition has two branches or more");
    require(node.missing_to >= -1 && node.missing_to < branches, "missing_to is out of range");
    const Column& column = table[static_cast<std::size_t>(node.attribute)];
    if (node.kind == ConditionKind::threshold) {
        require(column.kind != Kind::nominal && branches == 2 && !std::isnan(node.threshold),
                "a threshold divides numbers or ordered levels in two");
        return;
    }
    require(node.kind == ConditionKind::multiway || branches == 2, "a subset has two branches");
    require(column.kind != Kind::numeric && node.branch_of_code.size() == column.levels &&
                std::all_of(node.branch_of_code.begin(), node.branch_of_code.end(),
                            [&](std::int32_t branch) { return branch >= 0 && branch < branches; }),
            "every level needs a branch");
}

}  // namespace

void require_fit(const Constraints& constraints, const Table& table) {
    for (const ColumnSet& group : constraints.groups)
        require(fits(group, table, false), "a group has the wrong length");
    require(fits(constraints.columns, table, true), "columns has the wrong length");
    const auto& skeleton = constraints.skeleton;
    std::size_t next = 1;  // children are numbered as they are met
    for (std::size_t i = 0; i < skeleton.size(); ++i) {
        require(fits(skeleton[i].columns, table, true), "columns has the wrong length");
        if (skeleton[i].kind == ConditionKind::leaf) {
            require(skeleton[i].children.empty(), "a leaf has no branches");
            continue;
        }
        require_condition(skeleton[i], table);
        for (const std::int32_t child : skeleton[i].children) {
            require(child > static_cast<std::int32_t>(i) &&
                        static_cast<std::size_t>(child) < skeleton.size(),
                    "children come after their parent");
            ++next;
        }
    }
    require(skeleton.empty() || next == skeleton.size(), "every node has one parent");
}

}  // namespace ramify
