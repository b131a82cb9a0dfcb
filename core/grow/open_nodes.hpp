// The open nodes of best-first growth, and how much of the limits they have used. Invariant: what a
// skeleton demands comes first, and is made whatever the limits; then the best split comes next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "grow/frontier.hpp"
#include "node/parameters.hpp"
#include "tree/tree.hpp"

namespace ramify {

// `Divided`: a node whose rows are divided.
template <typename Node, typename Divided>
class OpenNodes {
  public:
    // Either a node or, in its place, one whose rows are divided.
    struct Open {
        std::unique_ptr<Node> node;
        std::unique_ptr<Divided> divided;
        std::int64_t more = 0;  // leaves that its split adds
    };

    explicit OpenNodes(const GrowParameters& parameters)
        : parameters_(parameters), frontier_(parameters.weigh_gains) {}

    void push(std::unique_ptr<Node> node) { open(std::move(node), &Open::node); }
    void push_divided(std::unique_ptr<Divided> node) { open(std::move(node), &Open::divided); }

    // The node to split next, up to a number of expansions in all. Its split counts from now on.
    std::optional<Open> next(std::int64_t expansions) {
        expansions = std::min(expansions, parameters_.max_expansions);
        while (!frontier_.empty() &&
               (forced_ > 0 || (leaves_ < parameters_.max_leaves && expansions_ < expansions))) {
            Open found = std::move(open_[index(frontier_.pop())]);
            if (forced_ > 0) {
                --forced_;
            } else if (!fits(found)) {
                continue;  // too many branches for the limit; a smaller split may fit
            }
            leaves_ += found.more;
            ++expansions_;
            return found;
        }
        // What does not fit now never will: nothing is left if nothing fits.
        while (!frontier_.empty() && forced_ == 0 && !fits(open_[index(frontier_.first())])) {
            frontier_.pop();
        }
        return std::nullopt;
    }
    // A split was not made after all.
    void give_back(std::int64_t more) {
        leaves_ -= more;
        --expansions_;
    }
    // Nothing is left to split.
    bool finished() const {
        return frontier_.empty() || leaves_ >= parameters_.max_leaves ||
               expansions_ >= parameters_.max_expansions;
    }

  private:
    static std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }
    bool fits(const Open& node) const { return leaves_ + node.more <= parameters_.max_leaves; }
    template <typename Pointer>
    void open(Pointer node, Pointer Open::* as) {
        const bool forced = node->plan.forced();
        frontier_.push(static_cast<std::int32_t>(open_.size()),
                       forced ? never_pruned : node->best.gain, node->stats.weight);
        forced_ += forced ? 1 : 0;
        Open entry;
        entry.more = static_cast<std::int64_t>(node->best.branches) - 1;
        entry.*as = std::move(node);
        open_.push_back(std::move(entry));
    }

    const GrowParameters& parameters_;
    Frontier frontier_;
    std::vector<Open> open_;
    std::int64_t leaves_ = 1;
    std::int64_t expansions_ = 0;
    std::int64_t forced_ = 0;  // open nodes whose split a skeleton demands
};

}  // namespace ramify
