// Whether an open node is split, and how: as a skeleton demands, otherwise by the best of its
// candidates. Invariant: a condition of the skeleton is made if it divides the rows of its node,
// whatever it gains.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "grow/choice.hpp"
#include "grow/distribute.hpp"
#include "grow/planner.hpp"
#include "grow/worker.hpp"

namespace ramify {

template <Target P>
class Decision {
  public:
    using Node = OpenNode<typename P::Word>;
    using NodePointer = std::unique_ptr<Node>;

    Decision(const Evaluator<P>& evaluator, const SplitChoice<P>& choice, const Planner& planner,
             Distributor<P>& distributor, std::size_t columns)
        : evaluator_(evaluator),
          choice_(choice),
          planner_(planner),
          distributor_(distributor),
          columns_(columns) {}

    // Whether a node may be split, by what is laid down for it and by its rows.
    bool may_split(const NodePlan& plan, const NodeStats& stats, std::int32_t depth) const {
        return plan.forced() || (!plan.closed && choice_.may_split(stats, depth));
    }
    // Decides on the split of a node that was evaluated at a place of the worker. False: it stays a
    // leaf.
    bool choose(Worker<P>& worker, NodePointer& node, std::size_t place) const {
        if (node->plan.forced()) {
            if (force(worker, *node, place)) return true;
            if (!may_split(node->plan, node->stats, node->depth)) return false;
            distributor_.evaluate(worker, std::span(&node, 1));
            place = 0;
        }
        return choice_.choose(worker.views[place], worker.candidates.data() + place * columns_,
                              *node, worker.builder, distributor_.workspace());
    }

  private:
    // Splits a node as the skeleton demands. A condition that does not divide its rows is passed
    // over, and so on down the skeleton. False: nothing is left to demand.
    bool force(Worker<P>& worker, Node& node, std::size_t place) const {
        while (node.plan.forced()) {
            const SkeletonNode& asked = planner_.asked(node.plan);
            Range& range = node.ranges[static_cast<std::size_t>(asked.attribute)];
            const std::vector<std::int32_t> kept = evaluator_.force(
                worker.views[place], range, asked, distributor_.workspace(), node.best);
            if (kept.size() < 2) {
                planner_.pass_over(node.plan, kept.empty() ? -1 : kept.front());
                continue;
            }
            node.column = asked.attribute;
            node.log_p = std::numeric_limits<double>::quiet_NaN();
            node.plan.below.clear();
            for (const std::int32_t branch : kept)
                node.plan.below.push_back(asked.children[static_cast<std::size_t>(branch)]);
            return true;
        }
        return false;
    }

    const Evaluator<P>& evaluator_;
    const SplitChoice<P>& choice_;
    const Planner& planner_;
    Distributor<P>& distributor_;
    std::size_t columns_;
};

}  // namespace ramify
