// The lowest part of a large tree: the whole subtree of a node with few rows is grown in a buffer,
// see small_rows.hpp. Most nodes are grown here. Invariant: it is the subtree that the grower would
// grow. Nodes are added in the same order, the left one first.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "grow/builder.hpp"
#include "grow/choice.hpp"
#include "grow/finish.hpp"
#include "grow/short_chance.hpp"
#include "grow/short_search.hpp"
#include "grow/small_node.hpp"
#include "grow/small_rows.hpp"

namespace ramify {

template <Target P>
class SmallSubtree {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    SmallSubtree(const Context<P>& context, const SplitChoice<P>& choice)
        : context_(context),
          choice_(choice),
          finisher_(context),
          rows_(context),
          chance_(context, choice, rows_),
          branches_{{Branch(context, rows_.samples()), Branch(context, rows_.samples())}} {}

    // Whether subtrees of a problem can be grown here: by the criterion alone, of thresholds alone,
    // and of whole rows. Columns that a plan rules out are constant by then.
    static bool fits(const Context<P>& context, const Evaluator<P>& evaluator) {
        const Table& table = context.problem.table;
        bool fits = !P::weighted && !context.by_ranks() && !has_missing(table) &&
                    table.size() < 65536 && !evaluator.screens() && !evaluator.by_p_value() &&
                    !context.criterion.by_information();
        for (std::size_t c = 0; c < table.size(); ++c) fits = fits && !context.by_levels(c);
        return fits;
    }

    // Grows everything below an open node, whose statistics are taken. `map` has a byte per row of
    // the table; the bytes of the node's rows are overwritten.
    void grow(OpenNode<Word>& node, std::uint8_t* map, Builder& builder, WalkBuffers& buffers) {
        load(node, map);
        while (top_ > 0) expand(builder, buffers);
    }

  private:
    // A node that will be split.
    struct Open : SmallNode {
        // Its columns that are not constant, in active_.
        std::size_t active_begin = 0;
        std::size_t active_count = 0;
    };
    // A child of the node that is split now.
    struct Branch {
        Branch(const Context<P>& context, const Samples& samples) : search(context, samples) {}

        bool searched() const { return node != nullptr && !settled; }
        double floor() const { return best ? best->gain : -1.0; }

        Open* node = nullptr;  // null: it stays a leaf
        ShortSearch<P> search;
        std::vector<std::uint16_t> active;  // its columns that are not constant
        Contest contest;
        std::optional<SmallSplit> best;
        bool settled = false;          // no column can gain more
        bool by_chance = false;        // chance decides, once all columns are searched
        std::vector<SmallSplit> cuts;  // if so, of every column
    };

    void load(OpenNode<Word>& node, std::uint8_t* map) {
        rows_.load(node, map);
        active_ = rows_.varying();
        if (open_.empty()) open_.resize(1);
        top_ = 1;
        Open& top = open_[0];
        std::swap(top.stats, node.stats);
        top.bounds = node.bounds;
        top.id = node.id;
        top.depth = node.depth;
        top.range = {0, static_cast<std::size_t>(top.stats.rows)};
        top.split = {static_cast<std::size_t>(node.column), rows_.position_of_split(node),
                     node.best.gain, node.log_p};
        top.active_begin = 0;
        top.active_count = active_.size();
    }

    void expand(Builder& builder, WalkBuffers& buffers) {
        // The children take the place of the node and the one above it.
        if (open_.size() < top_ + 2) open_.resize(top_ + 2);
        const std::size_t here = --top_;
        std::swap(open_[here], open_[here + 2]);
        Open& node = open_[here + 2];
        active_.resize(node.active_begin + node.active_count);

        sum_children(node);
        const BranchLimits& limits = context_.branch_limits;
        // The sums of numbers are rounded otherwise here than in the search.
        if (limits.monotone() &&
            !limits.hold(node.bounds, node.split.column, false, child_stats_, false))
            return;
        builder.set_condition(node.id, condition_of(node));
        add_children(node, {&open_[here + 1], &open_[here]}, builder);
        if (branches_[0].node == nullptr && branches_[1].node == nullptr) return;
        search(node, buffers);

        // The right child lies below the left one on the stack, so that the left one is grown
        // first.
        const bool left = splits(branches_[0]);
        if (splits(branches_[1])) {
            push(branches_[1]);
        } else if (left) {
            std::swap(open_[here], open_[here + 1]);
            branches_[0].node = &open_[here];
        }
        if (left) push(branches_[0]);
    }

    // Finds the child of every row, and the statistics of both children.
    void sum_children(const Open& node) {
        const std::size_t position = node.split.position;
        rows_.mark(node.range, node.split);
        for (std::size_t b = 0; b < 2; ++b) {
            const SmallRange range =
                b == 0 ? node.range.left(position) : node.range.right(position);
            const Word* entries = rows_.entries(node.split.column, range);
            NodeStats& stats = child_stats_[b];
            stats.clear(rows_.samples().width());
            stats.template add_all<P>(rows_.samples(), entries, range.size);
            finisher_.finish(stats, [&]() -> const NodeRows& {
                read_again_.clear();
                for (const Word entry : std::span(entries, range.size))
                    read_again_.target.push_back(context_.problem.target[rows_.row_of(entry)]);
                return read_again_;
            });
        }
    }

    BuiltCondition condition_of(const Open& node) const {
        const SmallSplit& split = node.split;
        const Column& column = context_.problem.table[split.column];
        const Word* cut = rows_.entries(split.column, node.range) + split.position;
        const double threshold = threshold_of(column, column.value(rows_.row_of(cut[-1])),
                                              column.value(rows_.row_of(cut[0])));
        return {ConditionKind::threshold,
                static_cast<std::int32_t>(split.column),
                -1,
                threshold,
                split.gain,
                {},
                split.log_p};
    }

    // Adds both children to the tree, and opens those that may be split at the given places.
    void add_children(const Open& node, std::array<Open*, 2> places, Builder& builder) {
        const SmallSplit& split = node.split;
        const BranchLimits& limits = context_.branch_limits;
        const double middle = limits.monotone() ? limits.middle(split.column, child_stats_) : 0.0;
        for (std::size_t b = 0; b < 2; ++b) {
            NodeStats& stats = child_stats_[b];
            const std::int32_t id =
                builder.add(stats, node.id, node.depth + 1, stats.weight / node.stats.weight);
            if (b == 0) builder.set_children(node.id, id, 2);
            branches_[b].node = nullptr;
            if (!choice_.may_split(stats, node.depth + 1)) continue;
            Open& child = *places[b];
            std::swap(child.stats, stats);
            if (limits.monotone())
                limits.pass_on(node.bounds, split.column, false, middle, b, child.bounds);
            child.id = id;
            child.depth = node.depth + 1;
            child.range =
                b == 0 ? node.range.left(split.position) : node.range.right(split.position);
            begin(branches_[b], child);
        }
    }
    void begin(Branch& branch, Open& child) const {
        branch.node = &child;
        branch.search.prepare(child);
        branch.active.clear();
        branch.contest = Contest(context_.balances_ties);
        branch.best.reset();
        branch.settled = false;
        branch.by_chance = chance_.decides(child.stats);
        branch.cuts.clear();
    }

    // Divides the columns of a node between its children, and searches them there.
    void search(const Open& node, WalkBuffers& buffers) {
        for (std::size_t a = 0; a < node.active_count; ++a) {
            const std::size_t c = active_[node.active_begin + a];
            const bool left = branches_[0].searched();
            const bool right = branches_[1].searched();
            if (!left && !right) break;
            if (c != node.split.column) rows_.divide(c, node.range, left, right);
            if (left) look(branches_[0], c, buffers);
            if (right) look(branches_[1], c, buffers);
        }
        for (Branch& branch : branches_) {
            if (branch.node != nullptr && branch.by_chance)
                branch.best = chance_.choose(*branch.node, branch.cuts);
        }
    }
    void look(Branch& branch, std::size_t c, WalkBuffers& buffers) const {
        const Open& child = *branch.node;
        if (!rows_.varies(c, child.range)) return;
        branch.active.push_back(static_cast<std::uint16_t>(c));
        const ShortCut cut =
            branch.search.find(child, c, rows_.entries(c, child.range), branch.floor(), buffers);
        if (!cut.found()) return;
        if (branch.by_chance) {
            branch.cuts.push_back({c, cut.position, cut.gain});
            return;
        }
        if (!branch.contest.offer(cut.gain, tie_of(child.stats), [&] { return cut.balance; }))
            return;
        branch.best = {c, cut.position, branch.contest.highest()};
        if (chance_.asked()) branch.best->log_p = 0.0;  // all are as likely
        branch.settled = unbeatable(context_, child.stats, cut.gain);
    }

    bool splits(const Branch& branch) const {
        return branch.node != nullptr && branch.best &&
               choice_.acceptable(branch.node->stats, branch.best->gain) && !abandons(branch);
    }
    // Whether the best split is given up because it leaves too few rows on a side.
    bool abandons(const Branch& branch) const {
        const std::size_t left = branch.best->position;
        const std::size_t smaller = std::min(left, branch.node->range.size - left);
        return context_.parameters.abandon_small &&
               static_cast<double>(smaller) < context_.parameters.min_samples_leaf;
    }
    void push(const Branch& branch) {
        Open& node = *branch.node;
        node.split = *branch.best;
        node.split.gain -= context_.baseline(node.stats);
        node.active_begin = active_.size();
        node.active_count = branch.active.size();
        active_.insert(active_.end(), branch.active.begin(), branch.active.end());
        ++top_;
    }

    const Context<P>& context_;
    const SplitChoice<P>& choice_;
    Finisher<P> finisher_;
    SmallRows<P> rows_;
    ShortChance<P> chance_;
    // A stack of `top_` nodes. What lies above keeps its memory for nodes to come.
    std::vector<Open> open_;
    std::size_t top_ = 0;
    std::vector<std::uint16_t> active_;
    std::array<NodeStats, 2> child_stats_;
    std::array<Branch, 2> branches_;
    NodeRows read_again_;
};

}  // namespace ramify
