// Which node is expanded next: the deepest, or the best as long as the limits allow. A node that
// divides rows is handed to the grower of divided rows. Invariant: that of grower.hpp. Included
// where a policy is instantiated.
#pragma once

#include "grow/grower.hpp"

namespace ramify {

template <typename P>
void Grower<P>::grow_depth_first(Worker& worker, std::vector<NodePointer> stack,
                                 std::int64_t hand_over, std::vector<NodePointer>& handed_over) {
    while (!stack.empty()) {
        interrupt_.poll();
        NodePointer node = std::move(stack.back());
        stack.pop_back();
        if (node->stats.rows < hand_over) {
            handed_over.push_back(std::move(node));
            continue;
        }
        if (small_ && node->stats.rows <= static_cast<std::int64_t>(SmallSubtree<P>::most_rows) &&
            node->depth >= parameters_.competitor_depth) {
            if (!worker.small)
                worker.small = std::make_unique<SmallSubtree<P>>(problem_, *evaluator_);
            worker.small->grow(
                *node, samples_, side_.data(), worker.builder, scratch(),
                [&](const NodeStats& stats, std::int32_t depth) { return may_split(stats, depth); },
                [&](const NodeStats& stats, double gain) { return acceptable(stats, gain); });
            worker.spare.push_back(std::move(node));
            continue;
        }
        if (divides(*node)) {
            std::vector<typename Divided::NodePointer> top;
            top.push_back(divide(worker, *node));
            worker.spare.push_back(std::move(node));
            std::vector<typename Divided::NodePointer> none;
            auto& divided = *worker.divided;
            divided.grower.grow_depth_first(divided.worker, std::move(top), 0, none);
            continue;
        }
        auto children = expand(worker, *node);
        worker.spare.push_back(std::move(node));
        for (std::size_t i = children.size(); i-- > 0;) stack.push_back(std::move(children[i]));
    }
}

// A limited number of leaves or expansions is spent on the best splits, whatever the order of
// growth.
template <typename P>
void Grower<P>::advance(std::int64_t expansions) {
    const auto enter = [&](const auto& node) {
        frontier_.push(static_cast<std::int32_t>(open_.size()), node.best.gain, node.stats.weight);
    };
    const auto push = [&](NodePointer node) {
        enter(*node);
        open_.push_back({std::move(node), nullptr});
    };
    for (auto& node : top_) push(std::move(node));
    top_.clear();
    Worker& worker = *worker_;
    expansions = std::min(expansions, parameters_.max_expansions);
    while (!frontier_.empty() && leaves_ < parameters_.max_leaves && expansions_ < expansions) {
        interrupt_.poll();
        auto [node, divided] = std::move(open_[static_cast<std::size_t>(frontier_.pop())]);
        const std::size_t branches = node ? node->best.branches : divided->best.branches;
        const auto more = static_cast<std::int64_t>(branches) - 1;
        if (leaves_ + more > parameters_.max_leaves)
            continue;  // too many branches for the limit; a smaller split may fit
        leaves_ += more;
        ++expansions_;
        if (node && divides(*node)) divided = divide(worker, *node);
        if (divided) {
            auto& growth = *worker.divided;
            for (auto& child : growth.grower.expand(growth.worker, *divided)) {
                enter(*child);
                open_.push_back({nullptr, std::move(child)});
            }
            continue;
        }
        for (auto& child : expand(worker, *node)) push(std::move(child));
        worker.spare.push_back(std::move(node));
    }
}

template <typename P>
bool Grower<P>::finished() const {
    return top_.empty() && (frontier_.empty() || leaves_ >= parameters_.max_leaves ||
                            expansions_ >= parameters_.max_expansions);
}

template <typename P>
Tree Grower<P>::tree() const {
    Builder copy = *builder_;
    return Tree(task, columns_, samples_.width(), copy.finish(parameters_, 1, interrupt_));
}

template <typename P>
std::unique_ptr<Stepwise> start_growing(const Problem& problem, Interrupt& interrupt) {
    auto grower = std::make_unique<Grower<P>>(problem, interrupt);
    grower->start();
    return grower;
}

}  // namespace ramify
