// The children of a split, once its rows are routed. Invariant: the branches are added to the tree
// together and in order; a branch that stays a leaf has no open node.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grow/decision.hpp"
#include "grow/finish.hpp"
#include "grow/planner.hpp"
#include "grow/route.hpp"
#include "grow/worker.hpp"

namespace ramify {

template <Target P>
class Children {
  public:
    using Node = OpenNode<typename P::Word>;
    using NodePointer = std::unique_ptr<Node>;

    Children(const Context<P>& context, const Finisher<P>& finisher, const Planner& planner,
             const Router<P>& router, const Decision<P>& decision)
        : context_(context),
          finisher_(finisher),
          planner_(planner),
          router_(router),
          decision_(decision) {}

    // Works out the statistics of the branches, and whether they keep the constraints. Searches see
    // to that, but parts of rows are rounded, and light ones take the heaviest branch.
    void finish(Branches& branches, const Node& node) const {
        const std::size_t count = node.best.branches;
        for (std::size_t b = 0; b < count; ++b) {
            if (b % 64 == 63) context_.interrupt.poll();
            finisher_.finish_members(branches.stats[b], branches.members[b]);
        }
        const BranchLimits& limits = context_.branch_limits;
        if (!limits.asked()) return;
        const bool forced = node.plan.forced();
        branches.refused =
            !limits.hold(node.bounds, static_cast<std::size_t>(node.column), node.best.known_only,
                         std::span(branches.stats).first(count), forced);
        if (branches.refused && forced) {
            throw std::invalid_argument(
                "skeleton and monotone contradict each other: the branches of the condition on "
                "column " +
                std::to_string(node.column) +
                " (counted from 0) are not in the order that monotone asks for");
        }
    }
    // Adds the branches of a node to the tree; null for those that stay leaves.
    std::vector<NodePointer> make(Worker<P>& worker, const Node& node) const {
        const std::size_t branches = node.best.branches;
        double known = 0.0;
        for (const double weight : worker.branches.known_weight) known += weight;
        std::vector<NodePointer> children(branches);
        const BranchLimits& limits = context_.branch_limits;
        const auto c = static_cast<std::size_t>(node.column);
        const double middle = limits.middle(c, worker.branches.stats);
        for (std::size_t b = 0; b < branches; ++b) {
            NodeStats& stats = worker.branches.stats[b];
            const std::int32_t id = worker.builder.add(stats, node.id, node.depth + 1,
                                                       worker.branches.known_weight[b] / known);
            if (b == 0) worker.builder.set_children(node.id, id, branches);
            NodePlan plan = planner_.branch(node.plan, node.column, b);
            if (!decision_.may_split(plan, stats, node.depth + 1)) continue;
            children[b] = worker.fresh_node();
            Node& child = *children[b];
            child.id = id;
            child.depth = node.depth + 1;
            child.first = node.first;
            if (router_.renumbers(node) && b == 1)
                child.first += static_cast<std::uint32_t>(node.best.boundary.position);
            if (limits.monotone())
                limits.pass_on(node.bounds, c, node.best.known_only, middle, b, child.bounds);
            child.ranges.assign(node.ranges.size(), {});
            child.counts.clear();
            child.plan = std::move(plan);
            std::swap(child.stats, stats);
        }
        return children;
    }

  private:
    const Context<P>& context_;
    const Finisher<P>& finisher_;
    const Planner& planner_;
    const Router<P>& router_;
    const Decision<P>& decision_;
};

}  // namespace ramify
