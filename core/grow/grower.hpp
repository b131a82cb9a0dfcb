// Greedy growth: expand a node, hand its rows to the children column by column, find the best split
// of each child. Invariant: the result depends on the problem alone, never on threads or on the
// order in which nodes are worked on.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "columns/forms.hpp"
#include "grow/children.hpp"
#include "grow/choice.hpp"
#include "grow/decision.hpp"
#include "grow/distribute.hpp"
#include "grow/grow.hpp"
#include "grow/memory.hpp"
#include "grow/open_nodes.hpp"
#include "grow/outset.hpp"
#include "grow/planner.hpp"
#include "grow/root.hpp"
#include "grow/stepwise.hpp"
#include "grow/worker.hpp"
#include "node/entry.hpp"
#include "targets/classes.hpp"
#include "targets/numbers.hpp"

namespace ramify {

// The target of nodes whose rows are divided.
template <Target P>
using DividedTarget =
    std::conditional_t<P::classification, Classes<WideEntry, true>, Numbers<WideEntry, true>>;

template <Target P>
class Grower final : public Stepwise {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Node = OpenNode<Word>;
    using NodePointer = std::unique_ptr<Node>;

    // `above`: the codes of a grower that will hand nodes to this one. Then this grower starts
    // without samples.
    Grower(const Problem& problem, Interrupt& interrupt,
           const std::vector<CodedColumn>* above = nullptr)
        : problem_(problem),
          parameters_(problem.parameters),
          interrupt_(interrupt),
          samples_(problem.classes),
          made_forms_(make_forms(problem, above)),
          forms_(above == nullptr && problem.forms != nullptr ? *problem.forms : made_forms_),
          context_(problem, samples_, forms_.sparse, above != nullptr ? *above : forms_.coded,
                   interrupt),
          evaluator_(context_),
          choice_(context_, evaluator_),
          finisher_(context_),
          planner_(problem),
          router_(context_, samples_, ranks_),
          distributor_(context_, evaluator_, choice_, router_, ranks_),
          outset_(context_, forms_),
          decision_(evaluator_, choice_, planner_, distributor_, columns()),
          children_(context_, finisher_, planner_, router_, decision_),
          open_(parameters_) {
        context_.ranks = &ranks_;
        if (P::classification && outset_.divides()) set_grain(problem, samples_);
        if (problem.beginning != nullptr) samples_.equal_weights = problem.beginning->equal_weights;
        small_ = SmallSubtree<P>::fits(context_, evaluator_);
        if (above != nullptr) return;
        if (parameters_.counts_pieces())
            samples_.part_count = std::make_shared<PartCount>(problem.table.rows());
        context_.centre = make_samples<P>(problem, samples_);
        router_.start(outset_.renumbers(), !P::weighted && outset_.divides());
    }

    Tree grow() {
        start();
        const bool limited = std::min(parameters_.max_leaves, parameters_.max_expansions) <
                             static_cast<std::int64_t>(problem_.table.rows());
        std::vector<NodePointer> handed_over;
        if (limited) {
            advance(parameters_.max_expansions);
        } else if (!top_.empty()) {
            const std::int64_t part = top_[0]->stats.rows / (4 * parameters_.threads);
            grow_depth_first(*worker_, std::move(top_), outset_.in_parallel() ? part : 0,
                             handed_over);
        }
        grow_in_parallel(std::move(handed_over));
        TreeArrays arrays = builder_->finish(parameters_, parameters_.threads, interrupt_);
        // A tree counts depths from its own root.
        for (std::int32_t& depth : arrays.depth) depth -= begins_at();
        return Tree(task, columns(), samples_.width(), std::move(arrays));
    }

    // The root, before anything else.
    void start() {
        builder_ = std::make_unique<Builder>(
            task, samples_.width(), context_.keeps_spreads(),
            outset_.expected(static_cast<std::int64_t>(problem_.table.rows()), begins_at()),
            problem_.memory != nullptr ? &problem_.memory->nodes : nullptr);
        worker_ = std::make_unique<OwnWorker>(*builder_, parameters_.threads);
        auto root = std::make_unique<Node>();
        Root<P>(context_, outset_.lists_rows()).make(*root);
        if (problem_.memory != nullptr) root_block_ = root->block;
        std::vector<std::uint32_t> members;
        for (std::uint32_t row = 0;
             row < problem_.table.rows() && finisher_.needs_rows(root->stats); ++row) {
            if (problem_.includes(row)) members.push_back(row);
        }
        finisher_.finish_members(root->stats, members);
        root->depth = begins_at();
        root->id = builder_->add(root->stats, -1, root->depth, 1.0);
        const Beginning* beginning = problem_.beginning;
        root->plan = beginning != nullptr ? beginning->plan : planner_.root();
        root->bounds =
            beginning != nullptr ? beginning->bounds : context_.branch_limits.no_bounds();
        if (!decision_.may_split(root->plan, root->stats, root->depth)) return;
        if (context_.cells.kept(problem_.table.rows()) && !context_.by_ranks() && !P::weighted)
            root->counts.resize(context_.cells.size());
        top_.push_back(std::move(root));
        distributor_.evaluate(*worker_, top_);
        if (!decision_.choose(*worker_, top_[0], 0)) top_.clear();
    }

    // Best-first: a limited number of leaves or expansions is spent on the best splits, whatever
    // the order of growth.
    void advance(std::int64_t expansions) override {
        for (auto& node : top_) open_.push(std::move(node));
        top_.clear();
        while (auto next = open_.next(expansions)) {
            interrupt_.poll();
            auto& [node, divided, more] = *next;
            if (node && divides(*node)) divided = divide(*worker_, *node);
            if (divided) {
                DividedGrowth& growth = *worker_->divided;
                for (auto& child : growth.grower.expand(growth.worker, *divided))
                    open_.push_divided(std::move(child));
                if (growth.worker.branches.refused) open_.give_back(more);
                continue;
            }
            for (auto& child : expand(*worker_, *node)) open_.push(std::move(child));
            if (worker_->branches.refused) open_.give_back(more);
            worker_->spare.push_back(std::move(node));
        }
    }
    bool finished() const override { return top_.empty() && open_.finished(); }
    Tree tree() const override {
        Builder copy = *builder_;
        return Tree(task, columns(), samples_.width(), copy.finish(parameters_, 1, interrupt_));
    }

  private:
    using Divided = Grower<DividedTarget<P>>;
    struct DividedGrowth;
    struct OwnWorker : Worker<P> {
        using Worker<P>::Worker;
        std::unique_ptr<DividedGrowth> divided;  // of nodes whose rows are divided
    };
    template <Target>
    friend class Grower;

    static constexpr Task task = P::classification ? Task::classification : Task::regression;

    // Splits a node: routes its rows, hands them to the children and evaluates these. Gives the
    // children that can be split.
    std::vector<NodePointer> expand(OwnWorker& worker, Node& node) {
        BuiltCondition condition =
            evaluator_.describe().of(node, static_cast<std::size_t>(node.column), node.best);
        condition.log_p = node.log_p;
        condition.forced = node.plan.forced();
        router_.route(node, worker.branches, worker.threads);
        children_.finish(worker.branches, node);
        if (worker.branches.refused) return {};
        worker.builder.set_condition(node.id, condition);
        if (condition.kind != ConditionKind::threshold)
            worker.builder.side(node.id).levels = std::move(condition.levels);
        std::vector<NodePointer> children = children_.make(worker, node);
        const bool alive = std::any_of(children.begin(), children.end(),
                                       [](const NodePointer& child) { return child != nullptr; });
        if (!alive) return {};
        const std::size_t branches = children.size();
        const bool evaluated = distributor_.distribute(worker, node, children);
        std::erase_if(children, [](const NodePointer& child) { return child == nullptr; });
        if (branches > 2) return choose_one_by_one(worker, std::move(children));
        if (!evaluated)
            distributor_.evaluate(worker, children, worker.branches.spread ? &node : nullptr);
        std::vector<NodePointer> splittable;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const bool splits = decision_.choose(worker, children[i], i);
            (splits ? splittable : worker.spare).push_back(std::move(children[i]));
        }
        return splittable;
    }
    // Many children are evaluated one at a time, so that one node's candidates take all the memory.
    std::vector<NodePointer> choose_one_by_one(OwnWorker& worker,
                                               std::vector<NodePointer> children) {
        std::vector<NodePointer> splittable;
        for (auto& child : children) {
            interrupt_.poll();
            distributor_.evaluate(worker, std::span(&child, 1));
            if (decision_.choose(worker, child, 0)) splittable.push_back(std::move(child));
        }
        return splittable;
    }

    // Grows everything below the given nodes. Nodes of fewer rows than `hand_over` are left to
    // other threads.
    void grow_depth_first(OwnWorker& worker, std::vector<NodePointer> stack, std::int64_t hand_over,
                          std::vector<NodePointer>& handed_over) {
        while (!stack.empty()) {
            interrupt_.poll();
            NodePointer node = std::move(stack.back());
            stack.pop_back();
            if (node->stats.rows < hand_over) {
                handed_over.push_back(std::move(node));
                continue;
            }
            if (small_ && node->stats.rows <= std::int64_t{most_small_rows} &&
                node->depth >= parameters_.competitor_depth && node->plan.settled()) {
                if (!worker.small)
                    worker.small = std::make_unique<SmallSubtree<P>>(context_, choice_);
                worker.small->grow(*node, router_.sides(), worker.builder,
                                   distributor_.workspace().walk);
            } else if (divides(*node)) {
                std::vector<typename Divided::NodePointer> top;
                top.push_back(divide(worker, *node));
                std::vector<typename Divided::NodePointer> none;
                DividedGrowth& divided = *worker.divided;
                divided.grower.grow_depth_first(divided.worker, std::move(top), 0, none);
            } else {
                auto children = expand(worker, *node);
                std::move(children.rbegin(), children.rend(), std::back_inserter(stack));
            }
            worker.spare.push_back(std::move(node));
        }
    }

    // Each subtree is grown by one thread and grafted on the tree.
    void grow_in_parallel(std::vector<NodePointer> tops) {
        // The largest come first, so that no thread is left alone with a large one at the end.
        std::stable_sort(tops.begin(), tops.end(), [](const NodePointer& a, const NodePointer& b) {
            return a->stats.rows > b->stats.rows;
        });
        std::vector<Builder::Graft> grafts(tops.size());
        for_each_index(tops.size(), parameters_.threads, [&](std::size_t i) {
            const Node& top = *tops[i];
            grafts[i] = {top.id,
                         std::make_unique<Builder>(task, samples_.width(), context_.keeps_spreads(),
                                                   outset_.expected(top.stats.rows, top.depth))};
            Builder& subtree = *grafts[i].subtree;
            OwnWorker local(subtree, 1);
            tops[i]->id = subtree.add(top.stats, -1, top.depth, 1.0);
            std::vector<NodePointer> stack;
            stack.push_back(std::move(tops[i]));
            std::vector<NodePointer> none;
            grow_depth_first(local, std::move(stack), 0, none);
        });
        // The nodes are no longer needed. The memory of their entries serves the tree.
        worker_->spare.clear();
        tops.clear();
        if constexpr (std::is_same_v<Word, std::uint32_t>) {
            if (problem_.memory != nullptr)
                problem_.memory->columns = std::move(root_block_->columns);
        }
        root_block_.reset();
        builder_->graft(grafts, parameters_.threads);
    }

    // Nodes whose rows are divided, see divide.hpp.
    bool divides(const Node& node) const;
    typename Divided::NodePointer divide(OwnWorker& worker, Node& node);
    void divide_column(std::size_t c, Node& node, typename Divided::Node& divided);

    std::size_t columns() const { return problem_.table.size(); }
    std::int32_t begins_at() const {
        return problem_.beginning != nullptr ? problem_.beginning->depth : 0;
    }
    static ColumnForms make_forms(const Problem& problem, const std::vector<CodedColumn>* above) {
        if (above != nullptr) return {std::vector<bool>(problem.table.size(), false), {}};
        if (problem.forms != nullptr) return {};
        return forms_of(problem, P::weighted);
    }

    const Problem& problem_;
    const GrowParameters& parameters_;
    Interrupt& interrupt_;
    Samples samples_;
    ColumnForms made_forms_;  // unless the caller made them
    const ColumnForms& forms_;
    Context<P> context_;
    Evaluator<P> evaluator_;
    SplitChoice<P> choice_;
    Finisher<P> finisher_;
    Planner planner_;
    std::vector<std::uint32_t> ranks_;
    Router<P> router_;
    Distributor<P> distributor_;
    Outset<P> outset_;
    Decision<P> decision_;
    Children<P> children_;
    bool small_ = false;  // small subtrees may be grown in a buffer of their own
    std::shared_ptr<Block<Word>> root_block_;
    std::unique_ptr<Builder> builder_;
    std::unique_ptr<OwnWorker> worker_;
    std::vector<NodePointer> top_;  // the root, if it can be split and has not been yet
    OpenNodes<Node, typename Divided::Node> open_;  // of best-first growth
};

template <Target P>
struct Grower<P>::DividedGrowth {
    Divided grower;
    typename Divided::OwnWorker worker;
};

}  // namespace ramify
