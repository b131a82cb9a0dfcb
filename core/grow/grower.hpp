// Greedy growth: expand a node, hand its rows to the children column by column, find the best split
// of each child. Invariant: the result depends on the problem alone, never on threads or on the
// order in which nodes are worked on.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "columns/forms.hpp"
#include "grow/choice.hpp"
#include "grow/distribute.hpp"
#include "grow/frontier.hpp"
#include "grow/grow.hpp"
#include "grow/memory.hpp"
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
          frontier_(parameters_.weigh_gains) {
        context_.ranks = &ranks_;
        const bool missing = has_missing(problem.table);
        const bool divides = missing && parameters_.missing == Missing::fractional;
        if (P::classification && divides) set_grain(problem, samples_);
        if (problem.beginning != nullptr) samples_.equal_weights = problem.beginning->equal_weights;
        small_ = SmallSubtree<P>::fits(context_, evaluator_);
        if (above != nullptr) return;
        context_.centre = make_samples<P>(problem, samples_);
        lists_rows_ = missing || context_.by_ranks() || any_coded_or_sparse();
        router_.start(renumbers(missing), !P::weighted && divides);
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
            grow_depth_first(*worker_, std::move(top_), in_parallel() ? part : 0, handed_over);
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
            expected(static_cast<std::int64_t>(problem_.table.rows()), begins_at()),
            problem_.memory != nullptr ? &problem_.memory->nodes : nullptr);
        worker_ = std::make_unique<OwnWorker>(*builder_, parameters_.threads);
        auto root = std::make_unique<Node>();
        Root<P>(context_, lists_rows_).make(*root);
        if (problem_.memory != nullptr) root_block_ = root->block;
        std::vector<std::uint32_t> members;
        for (std::uint32_t row = 0;
             row < problem_.table.rows() && finisher_.needs_rows(root->stats); ++row) {
            if (problem_.includes(row)) members.push_back(row);
        }
        finish(root->stats, members);
        root->depth = begins_at();
        root->id = builder_->add(root->stats, -1, root->depth, 1.0);
        const Beginning* beginning = problem_.beginning;
        root->plan = beginning != nullptr ? beginning->plan : planner_.root();
        root->bounds =
            beginning != nullptr ? beginning->bounds : context_.branch_limits.no_bounds();
        if (!may_split(root->plan, root->stats, root->depth)) return;
        if (context_.cells.kept(problem_.table.rows()) && !context_.by_ranks() && !P::weighted)
            root->counts.resize(context_.cells.size());
        top_.push_back(std::move(root));
        distributor_.evaluate(*worker_, top_);
        if (!choose(*worker_, top_[0], 0)) top_.clear();
    }

    // Best-first: a limited number of leaves or expansions is spent on the best splits, whatever
    // the order of growth.
    void advance(std::int64_t expansions) override {
        const auto open = [&](auto node, auto& as) {
            const bool forced = node->plan.forced();
            frontier_.push(static_cast<std::int32_t>(open_.size()),
                           forced ? never_pruned : node->best.gain, node->stats.weight);
            forced_ += forced ? 1 : 0;
            Open entry;
            as(entry) = std::move(node);
            open_.push_back(std::move(entry));
        };
        const auto whole = [](Open& entry) -> NodePointer& { return entry.node; };
        const auto in_parts = [](Open& entry) -> auto& { return entry.divided; };
        for (auto& node : top_) open(std::move(node), whole);
        top_.clear();
        expansions = std::min(expansions, parameters_.max_expansions);
        // What a skeleton demands comes first, and is made whatever the limits.
        while (!frontier_.empty() &&
               (forced_ > 0 || (leaves_ < parameters_.max_leaves && expansions_ < expansions))) {
            interrupt_.poll();
            auto [node, divided] = std::move(open_[static_cast<std::size_t>(frontier_.pop())]);
            const std::size_t branches = node ? node->best.branches : divided->best.branches;
            const auto more = static_cast<std::int64_t>(branches) - 1;
            if (forced_ > 0) {
                --forced_;
            } else if (leaves_ + more > parameters_.max_leaves) {
                continue;  // too many branches for the limit; a smaller split may fit
            }
            leaves_ += more;
            ++expansions_;
            const auto give_back = [&](const Branches& made) {
                if (!made.refused) return;
                leaves_ -= more;
                --expansions_;
            };
            if (node && divides(*node)) divided = divide(*worker_, *node);
            if (divided) {
                DividedGrowth& growth = *worker_->divided;
                for (auto& child : growth.grower.expand(growth.worker, *divided))
                    open(std::move(child), in_parts);
                give_back(growth.worker.branches);
                continue;
            }
            for (auto& child : expand(*worker_, *node)) open(std::move(child), whole);
            give_back(worker_->branches);
            worker_->spare.push_back(std::move(node));
        }
    }
    bool finished() const override {
        return top_.empty() && (frontier_.empty() || leaves_ >= parameters_.max_leaves ||
                                expansions_ >= parameters_.max_expansions);
    }
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
    struct Open {
        NodePointer node;
        typename Divided::NodePointer divided;  // in its place
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
        finish_branches(worker, node);
        if (worker.branches.refused) return {};
        worker.builder.set_condition(node.id, condition);
        if (condition.kind != ConditionKind::threshold)
            worker.builder.side(node.id).levels = std::move(condition.levels);
        std::vector<NodePointer> children = make_children(worker, node);
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
            const bool splits = choose(worker, children[i], i);
            (splits ? splittable : worker.spare).push_back(std::move(children[i]));
        }
        return splittable;
    }
    // Works out the statistics of the branches, and whether they keep the constraints. Searches see
    // to that, but parts of rows are rounded, and light ones take the heaviest branch.
    void finish_branches(OwnWorker& worker, const Node& node) {
        Branches& branches = worker.branches;
        const std::size_t count = node.best.branches;
        for (std::size_t b = 0; b < count; ++b) {
            if (b % 64 == 63) interrupt_.poll();
            finish(branches.stats[b], branches.members[b]);
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
    std::vector<NodePointer> make_children(OwnWorker& worker, const Node& node) {
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
            if (!may_split(plan, stats, node.depth + 1)) continue;
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
    // Many children are evaluated one at a time, so that one node's candidates take all the memory.
    std::vector<NodePointer> choose_one_by_one(OwnWorker& worker,
                                               std::vector<NodePointer> children) {
        std::vector<NodePointer> splittable;
        for (auto& child : children) {
            interrupt_.poll();
            distributor_.evaluate(worker, std::span(&child, 1));
            if (choose(worker, child, 0)) splittable.push_back(std::move(child));
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
            if (small_ && node->stats.rows <= std::int64_t{SmallSubtree<P>::most_rows} &&
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
                                                   expected(top.stats.rows, top.depth))};
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

    // Whether a node may be split, by what is laid down for it and by its rows.
    bool may_split(const NodePlan& plan, const NodeStats& stats, std::int32_t depth) const {
        return plan.forced() || (!plan.closed && choice_.may_split(stats, depth));
    }
    // Decides on the split of an evaluated node. False: it stays a leaf.
    bool choose(OwnWorker& worker, NodePointer& node, std::size_t place) {
        if (node->plan.forced()) {
            if (force(worker, *node, place)) return true;
            if (!may_split(node->plan, node->stats, node->depth)) return false;
            distributor_.evaluate(worker, std::span(&node, 1));
            place = 0;
        }
        return choice_.choose(worker.views[place], worker.candidates.data() + place * columns(),
                              *node, worker.builder, distributor_.workspace());
    }
    // Splits a node as the skeleton demands. A condition that does not divide its rows is passed
    // over, and so on down the skeleton. False: nothing is left to demand.
    bool force(OwnWorker& worker, Node& node, std::size_t place) {
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
    void finish(NodeStats& stats, const std::vector<std::uint32_t>& members) const {
        finisher_.finish(stats, [&] {
            NodeRows rows;
            for (const std::uint32_t sample : members) {
                rows.target.push_back(problem_.target[samples_.source_row(sample)]);
                if constexpr (P::weighted) rows.weight.push_back(samples_.weight[sample]);
            }
            return rows;
        });
    }
    std::size_t columns() const { return problem_.table.size(); }
    std::int32_t begins_at() const {
        return problem_.beginning != nullptr ? problem_.beginning->depth : 0;
    }
    bool any_coded_or_sparse() const {
        const auto has_values = [](const CodedColumn& coded) { return coded.values() > 0; };
        return std::any_of(forms_.coded.begin(), forms_.coded.end(), has_values) ||
               std::find(forms_.sparse.begin(), forms_.sparse.end(), true) != forms_.sparse.end();
    }
    // Whether the samples of large nodes are renumbered, see Router.
    bool renumbers(bool missing) const {
        bool numbers = !P::classification && !P::weighted && !missing && !lists_rows_ &&
                       problem_.included.empty() && !context_.by_ranks() &&
                       problem_.constraints == nullptr;
        for (std::size_t c = 0; c < columns(); ++c) numbers = numbers && !context_.by_levels(c);
        return numbers;
    }
    // Spreading rows adds samples, which only one thread may do. A criterion that is the caller's
    // code may be called from one thread only.
    bool in_parallel() const {
        const bool spreads = P::weighted && has_missing(problem_.table) &&
                             parameters_.missing == Missing::fractional;
        return parameters_.threads > 1 && !context_.by_ranks() && !spreads &&
               context_.criterion.thread_safe();
    }
    // Nodes of a subtree. Most trees are smaller. Memory that is never written costs nothing.
    std::size_t expected(std::int64_t rows, std::int64_t depth) const {
        constexpr std::int64_t most_levels = 22;
        // A skeleton may be deeper than the limit.
        const auto levels = std::clamp(parameters_.max_depth - depth, std::int64_t{0}, most_levels);
        const auto most = P::classification ? rows / 4 + 1 : rows;
        const auto leaves = std::min({most, parameters_.max_leaves, std::int64_t{1} << levels});
        return 2 * static_cast<std::size_t>(leaves);
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
    bool lists_rows_ = false;  // there is an extra column that lists all rows of a node
    bool small_ = false;       // small subtrees may be grown in a buffer of their own
    std::shared_ptr<Block<Word>> root_block_;
    std::unique_ptr<Builder> builder_;
    std::unique_ptr<OwnWorker> worker_;
    std::vector<NodePointer> top_;  // the root, if it can be split and has not been yet
    // The state of best-first growth.
    Frontier frontier_;
    std::vector<Open> open_;
    std::int64_t leaves_ = 1;
    std::int64_t expansions_ = 0;
    std::int64_t forced_ = 0;  // open nodes whose split a skeleton demands
};

template <Target P>
struct Grower<P>::DividedGrowth {
    Divided grower;
    typename Divided::OwnWorker worker;
};

}  // namespace ramify
