// Keeps to what a user has laid down, from a node to its branches. Invariant: the columns of every
// path lie in one of the groups; once a column is ruled out, it is ruled out below.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "node/plan.hpp"
#include "problem/problem.hpp"

namespace ramify {

class Planner {
  public:
    explicit Planner(const Problem& problem)
        : constraints_(problem.constraints),
          passed_over_(problem.passed_over),
          columns_(problem.table.size()) {}

    // The plan of the root.
    NodePlan root() const {
        NodePlan plan;
        if (constraints_ == nullptr) return plan;
        if (!constraints_->columns.empty() || !constraints_->groups.empty()) {
            ColumnLimits limits{constraints_->columns, {}};
            if (limits.columns.empty()) limits.columns.assign(columns_, true);
            for (std::uint32_t g = 0; g < constraints_->groups.size(); ++g)
                limits.groups.push_back(g);
            plan.limits = std::make_shared<const ColumnLimits>(std::move(limits));
        }
        if (!constraints_->skeleton.empty()) put(plan, 0);
        return plan;
    }
    // The plan of a branch of a node that is split by `column`.
    NodePlan branch(const NodePlan& node, std::int32_t column, std::size_t branch) const {
        NodePlan plan;
        if (constraints_ == nullptr) return plan;
        plan.limits = node.limits;
        use(plan, static_cast<std::size_t>(column));
        if (node.forced()) put(plan, node.below[branch]);
        return plan;
    }

    const SkeletonNode& asked(const NodePlan& plan) const {
        return constraints_->skeleton[static_cast<std::size_t>(plan.place)];
    }
    // Goes on with a branch of a condition that does not divide the rows of the node. -1: no row
    // has a value to tell the branch by, so the node is free.
    void pass_over(NodePlan& plan, std::int32_t branch) const {
        if (passed_over_ != nullptr) (*passed_over_)[static_cast<std::size_t>(plan.place)] = 1;
        const auto& children = asked(plan).children;
        plan.place = -1;
        if (branch >= 0) put(plan, children[static_cast<std::size_t>(branch)]);
    }

  private:
    void put(NodePlan& plan, std::int32_t place) const {
        const SkeletonNode& node = constraints_->skeleton[static_cast<std::size_t>(place)];
        plan.place = node.kind == ConditionKind::leaf ? -1 : place;
        plan.closed = node.closed;
        if (!node.columns.empty()) narrow(plan, node.columns);
    }
    void narrow(NodePlan& plan, const ColumnSet& to) const {
        ColumnLimits limits =
            plan.limits ? *plan.limits : ColumnLimits{ColumnSet(columns_, true), {}};
        for (std::size_t c = 0; c < columns_; ++c) limits.columns[c] = limits.columns[c] && to[c];
        plan.limits = std::make_shared<const ColumnLimits>(std::move(limits));
    }
    // Leaves the groups that hold the column. Other columns may be used no more.
    void use(NodePlan& plan, std::size_t column) const {
        const auto& groups = constraints_->groups;
        if (groups.empty()) return;
        std::vector<std::uint32_t> left;
        for (const std::uint32_t g : plan.limits->groups) {
            if (groups[g][column]) left.push_back(g);
        }
        if (left.size() == plan.limits->groups.size()) return;
        ColumnSet together(columns_, false);
        for (const std::uint32_t g : left) {
            for (std::size_t c = 0; c < columns_; ++c) together[c] = together[c] || groups[g][c];
        }
        ColumnLimits limits{plan.limits->columns, std::move(left)};
        for (std::size_t c = 0; c < columns_; ++c)
            limits.columns[c] = limits.columns[c] && together[c];
        plan.limits = std::make_shared<const ColumnLimits>(std::move(limits));
    }

    const Constraints* constraints_;
    std::vector<std::uint8_t>* passed_over_;
    std::size_t columns_;
};

}  // namespace ramify
