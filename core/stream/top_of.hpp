// The top of a tree of one target, see top.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grow/finish.hpp"
#include "grow/planner.hpp"
#include "stream/branch_totals.hpp"
#include "stream/cell_marks.hpp"
#include "stream/column_search.hpp"

namespace ramify {

template <Target P>
class TopOf final : public Top {
  public:
    TopOf(const Problem& problem, const TopGiven& given)
        : facts_(problem, given),
          given_(facts_.given),
          context_(*facts_.context),
          planner_(problem),
          evaluator_(context_),
          choice_(context_, evaluator_),
          marks_(facts_),
          search_(facts_) {
        constexpr std::size_t expected = 64;
        builder_ =
            std::make_unique<Builder>(task, facts_.width(), context_.keeps_spreads(), expected);
        TopNode root;
        root.plan = planner_.root();
        root.bounds = context_.branch_limits.no_bounds();
        root.most_rows = std::numeric_limits<std::int64_t>::max();
        nodes_.push_back(std::move(root));
    }

    bool surveys() const override { return facts_.surveys(); }
    std::size_t size() const override { return nodes_.size(); }
    TopNodeInfo info(std::size_t node) const override {
        const TopNode& at = nodes_[node];
        return {at.state, at.depth, at.most_rows, at.divided, at.children};
    }

    void count(std::size_t node, const SlotTotals& totals, const ColumnCounts& targets) override {
        TopNode& at = nodes_[node];
        if (at.state != TopState::counted)
            throw std::invalid_argument("the totals of this node are known");
        set_stats(at, totals, targets);
        at.most_rows = totals.rows;
        at.ready = true;
        if (node == 0) {
            at.id = builder_->add(shown(at.stats), -1, 0, 1.0);
            settle(at);
            return;
        }
        TopNode& parent = nodes_[static_cast<std::size_t>(at.parent)];
        for (const std::int32_t child : parent.children) {
            if (!nodes_[static_cast<std::size_t>(child)].ready) return;
        }
        make_children(parent);
    }

    std::vector<std::vector<std::uint8_t>> open_cells(std::size_t node,
                                                      std::span<const ColumnCounts> columns,
                                                      int threads,
                                                      Interrupt& interrupt) const override {
        return marks_.of(nodes_[node], columns, threads, interrupt);
    }
    std::vector<std::vector<std::uint8_t>> survey_cells(
        std::size_t node, std::span<const ColumnCounts> columns) override {
        TopNode& at = require_open(node);
        at.surveys.assign(facts_.columns(), std::nullopt);
        std::vector<std::vector<std::uint8_t>> marked = marks_.of_survey(at, columns);
        for (std::size_t c = 0; c < marked.size(); ++c) {
            if (marked[c].empty()) continue;
            at.surveys[c] = search_.new_survey(at, columns[c]);
            search_.survey(columns[c], *at.surveys[c]);
        }
        return marked;
    }
    void survey(std::size_t node, std::size_t column, const ColumnCounts& counts) override {
        std::optional<ColumnSurvey>& survey = require_open(node).surveys.at(column);
        if (!survey) throw std::invalid_argument("this column is not surveyed");
        search_.survey(counts, *survey);
    }
    void look(std::size_t node, std::span<const std::size_t> which,
              std::span<const ColumnCounts> columns, int threads, Interrupt& interrupt) override {
        TopNode& at = require_open(node);
        at.found.resize(facts_.columns());
        for_each_index(columns.size(), context_.criterion.thread_safe() ? threads : 1,
                       [&](std::size_t i) {
                           at.found[which[i]] = search_.find(at, which[i], columns[i], interrupt);
                       });
    }
    void look_at_part(std::size_t node, std::size_t column, const ColumnCounts& counts,
                      Interrupt& interrupt) override {
        search_.find_in_part(require_open(node), column, counts, interrupt);
    }
    std::vector<std::size_t> order_of_levels(std::size_t node, std::size_t column,
                                             const ColumnCounts& counts,
                                             Interrupt& interrupt) const override {
        return search_.order_of_levels(nodes_[node], column, counts, interrupt);
    }
    std::pair<double, double> least_side() const override {
        return {context_.parameters.min_samples_leaf, context_.branch_limits.least_weight()};
    }
    std::pair<std::int32_t, double> asked(std::size_t node) const override {
        const TopNode& at = nodes_[node];
        if (!at.plan.forced()) return {-1, 0.0};
        const SkeletonNode& asked = facts_.asked(at);
        const bool cuts = asked.kind == ConditionKind::threshold;
        return {asked.attribute, cuts ? asked.threshold : std::numeric_limits<double>::quiet_NaN()};
    }
    std::vector<std::size_t> cells_of_best(std::size_t node, std::size_t column,
                                           const ColumnCounts& counts,
                                           Interrupt& interrupt) override {
        const TopNode& at = require_open(node);
        std::vector<std::size_t> cells;
        if (at.plan.forced()) {  // the cell of its threshold
            for (std::size_t cell = 0; cell < counts.opened.size(); ++cell) {
                if (counts.opened[cell] != 0) cells.push_back(cell);
            }
        } else if (const auto found = search_.cells_of_best(at, column, counts, interrupt)) {
            cells = {found->first, found->second};
        }
        return cells;
    }
    void decide(std::size_t node, Interrupt& interrupt) override {
        TopNode& at = require_open(node);
        if (!at.parted.empty()) at.found.resize(facts_.columns());
        for (std::size_t c = 0; c < at.parted.size(); ++c) {
            if (at.parted[c]) at.found[c] = search_.best_of(at, *at.parted[c]);
        }
        at.parted.clear();
        if (at.plan.forced() && !force(at)) return;
        auto chosen = at.plan.forced() ? search_.make_forced(at, interrupt)
                                       : search_.choose(at, *builder_, interrupt);
        if (chosen) {
            divide(node, std::move(chosen->condition), chosen->split, chosen->column);
        } else {
            at.state = TopState::leaf;
        }
        nodes_[node].found = {};
        nodes_[node].surveys = {};
    }

    std::vector<RouteNode> routes(std::span<const std::int32_t> slots) const override {
        std::vector<RouteNode> routes(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const TopNode& node = nodes_[i];
            RouteNode& route = routes[i];
            if (i < slots.size()) route.slot = slots[i];
            if (node.children.empty() || node.state == TopState::leaf) continue;
            route.kind = node.condition.kind;
            route.attribute = node.condition.attribute;
            route.threshold = node.condition.threshold;
            route.missing_to = node.condition.missing_to;
            route.children = node.children;
            route.known_weight = node.known_weight;
            if (route.kind == ConditionKind::threshold) continue;
            const auto c = static_cast<std::size_t>(node.condition.attribute);
            route.branch_of_level.assign(facts_.problem.table[c].levels, -1);
            for (const auto& [code, branch] : node.condition.levels)
                route.branch_of_level[static_cast<std::size_t>(code)] = branch;
        }
        return routes;
    }

    Beginning beginning(std::size_t node) const override {
        const TopNode& at = nodes_[node];
        return {at.depth,          at.plan,           at.bounds,
                given_.all_weight, given_.grain_rows, given_.channels.plain(),
                given_.divides};
    }
    std::int32_t competitor_depth() const override { return context_.parameters.competitor_depth; }
    void graft(std::size_t node, const Tree& subtree) override {
        TopNode& at = require_open(node);
        builder_->graft(at.id, subtree.arrays());
        at.state = TopState::grafted;
    }
    Tree finish(std::int64_t max_expansions, Interrupt& interrupt) override {
        GrowParameters parameters = context_.parameters;
        parameters.max_expansions = std::min(parameters.max_expansions, max_expansions);
        if (std::min(parameters.max_leaves, parameters.max_expansions) <
            std::numeric_limits<std::int64_t>::max())
            builder_->limit(parameters, interrupt);
        return Tree(task, facts_.columns(), facts_.width(),
                    builder_->finish(parameters, parameters.threads, interrupt));
    }

  private:
    static constexpr Task task = P::classification ? Task::classification : Task::regression;

    TopNode& require_open(std::size_t node) {
        if (nodes_[node].state != TopState::open)
            throw std::invalid_argument("this node is not open");
        return nodes_[node];
    }

    void set_stats(TopNode& node, const SlotTotals& totals, const ColumnCounts& targets) const {
        NodeStats& stats = node.stats;
        stats.clear(facts_.width());
        given_.channels.sums(totals.channels.data(), stats.sums.data());
        stats.weight = P::weight_of(stats.sums.data(), stats.sums.size());
        stats.support = given_.channels.support(totals.channels.data());
        stats.rows = totals.rows;
        stats.low = totals.low;
        stats.high = totals.high;
        stats.deviance = Fixed(given_.deviance_size).value(totals.deviance);
        const Finisher<P> finisher(context_);
        if (context_.by_ranks()) {
            const std::vector<RankedRows> ranked = ranked_targets(given_, targets);
            NodeRows rows;
            double within = 0.0;
            for (const RankedRows& one : ranked) {
                rows.target.push_back(one.target);
                rows.weight.push_back(one.weight);
                within += one.within;
            }
            finisher.finish(stats, [&]() -> const NodeRows& { return rows; });
            stats.spread = std::sqrt(stats.spread * stats.spread + within / stats.weight);
            return;
        }
        finisher.finish(stats, [&] {
            // Two rows with the moments of all.
            const double mean = stats.sums[1] / stats.sums[0];
            const double spread =
                std::sqrt(std::max(0.0, stats.sums[2] / stats.sums[0] - mean * mean));
            const double half = stats.sums[0] / 2;
            const double centre = context_.centre;
            return NodeRows{{centre + mean - spread, centre + mean + spread}, {half, half}};
        });
        if constexpr (!P::classification) keep_spread(stats, finisher);
    }
    // Far from zero two rows so far apart are rounded. The sums, which are exact, tell the spread.
    void keep_spread(NodeStats& stats, const Finisher<P>& finisher) const {
        if (stats.weight <= 0.0 || stats.pure(false) || context_.by_ranks() ||
            !finisher.needs_rows(stats))
            return;
        const double mean = stats.sums[1] / stats.sums[0];
        const double variance = std::max(0.0, stats.sums[2] / stats.sums[0] - mean * mean);
        if (context_.by_deviance()) {
            stats.spread = std::sqrt(variance);
        } else {
            stats.impurity = variance;
            stats.scale = context_.scale_of(stats.sums.data(), stats.impurity);
        }
    }
    // As growth in memory keeps it: where ranks count, nothing is subtracted from targets.
    NodeStats shown(const NodeStats& stats) const {
        NodeStats shown = stats;
        if (!context_.by_ranks()) return shown;
        std::vector<double>& sums = shown.sums;
        const double centre = given_.centre;
        sums[2] += centre * (2.0 * sums[1] + centre * sums[0]);
        sums[1] += centre * sums[0];
        return shown;
    }
    // As in memory, see grow/decision.hpp.
    void settle(TopNode& node) const {
        const bool open =
            node.plan.forced() || (!node.plan.closed && choice_.may_split(node.stats, node.depth));
        node.state = open ? TopState::open : TopState::leaf;
    }
    // Goes on down the skeleton. False: its condition does not divide the rows of the node, and the
    // node is to be looked at again, or stays a leaf.
    bool force(TopNode& node) {
        const SkeletonNode& asked = planner_.asked(node.plan);
        const auto c = static_cast<std::size_t>(asked.attribute);
        if (c >= node.found.size() || !node.found[c].has_value())
            throw std::invalid_argument("a column of the node was not looked at");
        const std::vector<std::int32_t> kept = node.found[c]->kept;
        node.plan.below.clear();
        if (kept.size() > 1) {
            for (const std::int32_t branch : kept)
                node.plan.below.push_back(asked.children[static_cast<std::size_t>(branch)]);
            return true;
        }
        planner_.pass_over(node.plan, kept.empty() ? -1 : kept.front());
        node.found = {};
        settle(node);
        return false;
    }

    // Makes the branches of a node. Their totals follow from the counts if no row is divided.
    void divide(std::size_t node, BuiltCondition condition, const Candidate& split,
                const CountedColumn& column) {
        const Channels& channels = given_.channels;
        const bool numeric = facts_.numeric(static_cast<std::size_t>(condition.attribute));
        BranchTotals totals =
            branch_totals(column, condition, split.branches, numeric, channels.count());
        TopNode& parent = nodes_[node];
        std::vector<double> sums(facts_.width());
        parent.known_weight.clear();
        for (const SlotTotals& branch : totals.known) {
            channels.sums(branch.channels.data(), sums.data());
            parent.known_weight.push_back(context_.weight_of(sums.data()));
        }
        const bool spread = totals.holes != nullptr && split.missing_to < 0;
        const double divided = spread ? channels.support(totals.holes) : 0.0;
        if (totals.holes != nullptr && !spread) {
            std::int64_t* to =
                totals.known[static_cast<std::size_t>(split.missing_to)].channels.data();
            for (std::size_t j = 0; j < channels.count(); ++j) to[j] += totals.holes[j];
        }
        parent.state = TopState::split;  // unless its branches break a constraint
        parent.known_only = split.known_only;
        parent.condition = std::move(condition);
        parent.condition.gain = split.gain;
        const auto first = static_cast<std::int32_t>(nodes_.size());
        for (std::size_t b = 0; b < split.branches; ++b)
            parent.children.push_back(first + static_cast<std::int32_t>(b));
        TopNode like;
        like.parent = static_cast<std::int32_t>(node);
        like.depth = parent.depth + 1;
        like.divided = parent.divided || spread;
        like.most_rows = parent.stats.rows;  // parts of rows: any row may be there
        for (SlotTotals& branch : totals.known) {
            TopNode child = like;
            const double support = channels.support(branch.channels.data()) + divided;
            if (!given_.divides)
                child.most_rows = static_cast<std::int64_t>(std::ceil(support - row_slack));
            branch.rows = child.most_rows;
            nodes_.push_back(std::move(child));
        }
        if (!P::classification || given_.divides) return;
        for (std::size_t b = 0; b < split.branches; ++b)
            count(static_cast<std::size_t>(first) + b, totals.known[b], {});
    }

    // All totals of the branches are known.
    void make_children(TopNode& parent) {
        std::vector<NodeStats> stats;
        for (const std::int32_t child : parent.children)
            stats.push_back(nodes_[static_cast<std::size_t>(child)].stats);
        const auto c = static_cast<std::size_t>(parent.condition.attribute);
        const BranchLimits& limits = context_.branch_limits;
        if (limits.asked() &&
            !limits.hold(parent.bounds, c, parent.known_only, stats, parent.condition.forced)) {
            parent.state = TopState::leaf;
            for (const std::int32_t child : parent.children)
                nodes_[static_cast<std::size_t>(child)].state = TopState::gone;
            return;
        }
        parent.state = TopState::split;
        builder_->set_condition(parent.id, parent.condition);
        if (parent.condition.kind != ConditionKind::threshold)
            builder_->side(parent.id).levels = parent.condition.levels;
        double known = 0.0;
        for (const double weight : parent.known_weight) known += weight;
        const double middle = limits.middle(c, stats);
        for (std::size_t b = 0; b < parent.children.size(); ++b) {
            TopNode& child = nodes_[static_cast<std::size_t>(parent.children[b])];
            child.id = builder_->add(shown(child.stats), parent.id, child.depth,
                                     parent.known_weight[b] / known);
            if (b == 0) builder_->set_children(parent.id, child.id, parent.children.size());
            child.plan = planner_.branch(parent.plan, parent.condition.attribute, b);
            child.bounds = parent.bounds;
            if (limits.monotone())
                limits.pass_on(parent.bounds, c, parent.known_only, middle, b, child.bounds);
            settle(child);
        }
    }

    TopFacts<P> facts_;
    const TopGiven& given_;
    const Context<P>& context_;
    Planner planner_;
    Evaluator<P> evaluator_;
    SplitChoice<P> choice_;
    CellMarks<P> marks_;
    ColumnSearch<P> search_;
    std::unique_ptr<Builder> builder_;
    std::vector<TopNode> nodes_;
};

}  // namespace ramify
