// The top of a tree of one target, see top.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "grow/builder.hpp"
#include "grow/choice.hpp"
#include "grow/finish.hpp"
#include "grow/planner.hpp"
#include "stream/counted_node.hpp"
#include "stream/open_cells.hpp"
#include "stream/top.hpp"
#include "support/parallel.hpp"

namespace ramify {

template <Target P>
class TopOf final : public Top {
  public:
    using Word = typename P::Word;

    TopOf(const Problem& problem, const TopGiven& given)
        : problem_(problem),
          given_(given),
          planner_(problem),
          samples_(problem.classes),
          sparse_(problem.table.size(), false),
          coded_(problem.table.size()) {
        whole_.all_weight = given.all_weight;
        problem_.beginning = &whole_;
        if (!given.competitors) problem_.parameters.competitor_depth = 0;
        samples_.mean = given.mean;
        context_ = std::make_unique<Context<P>>(problem_, samples_, sparse_, coded_, interrupt_);
        context_->centre = given.centre;
        evaluator_ = std::make_unique<Evaluator<P>>(*context_);
        choice_ = std::make_unique<SplitChoice<P>>(*context_, *evaluator_);
        constexpr std::size_t expected = 64;
        builder_ =
            std::make_unique<Builder>(task, samples_.width(), context_->keeps_spreads(), expected);
        TopNode root;
        root.plan = planner_.root();
        root.bounds = context_->branch_limits.no_bounds();
        root.most_rows = std::numeric_limits<std::int64_t>::max();
        nodes_.push_back(std::move(root));
    }

    std::size_t size() const override { return nodes_.size(); }
    TopNodeInfo info(std::size_t node) const override {
        const TopNode& at = nodes_[node];
        return {at.state, at.depth, at.most_rows, at.divided, at.children};
    }

    void count(std::size_t node, const SlotTotals& totals) override {
        TopNode& at = nodes_[node];
        if (at.state != TopState::counted)
            throw std::invalid_argument("the totals of this node are known");
        set_stats(at, totals);
        at.most_rows = totals.rows;
        at.ready = true;
        if (node == 0) {
            at.id = builder_->add(at.stats, -1, 0, 1.0);
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
        std::vector<std::vector<std::uint8_t>> marked(columns.size());
        const TopNode& at = nodes_[node];
        constexpr double nothing = -std::numeric_limits<double>::infinity();
        std::vector<double> best(columns.size(), nothing);
        // Where other columns are not remembered, only the best split of all is looked for.
        const bool only_best = at.depth >= problem_.parameters.competitor_depth &&
                               !context_->criterion.by_information() && !any_holes(columns);
        const auto poll = [&] { interrupt.poll(); };
        if (only_best) {
            for_each_index(columns.size(), threads, [&](std::size_t c) {
                poll();
                best[c] = open_column(at, columns[c], c, nothing, nullptr);
            });
        }
        const double floor = best.empty() ? nothing : *std::max_element(best.begin(), best.end());
        for_each_index(columns.size(), threads, [&](std::size_t c) {
            poll();
            open_column(at, columns[c], c, floor, &marked[c]);
        });
        return marked;
    }

    void decide(std::size_t node, std::span<const ColumnCounts> columns, int threads,
                Interrupt& interrupt) override {
        if (nodes_[node].state != TopState::open)
            throw std::invalid_argument("this node is not open");
        std::vector<CountedColumn> counted;
        for (std::size_t c = 0; c < columns.size(); ++c)
            counted.push_back(counted_column(columns[c], numeric(c), given_.channels));
        CountedNode<P> made(problem_, given_, nodes_[node].stats, std::move(counted), interrupt);
        OpenNode<Word>& open = made.node;
        open.id = nodes_[node].id;
        open.depth = nodes_[node].depth;
        open.plan = nodes_[node].plan;
        open.bounds = nodes_[node].bounds;
        Problem problem = problem_on(made.table());
        Context<P> context(problem, made.samples(), sparse_, coded_, interrupt);
        context.centre = given_.centre;
        context.counts_rows = counts_rows(nodes_[node]);
        const Evaluator<P> evaluator(context);
        const SplitChoice<P> choice(context, evaluator);
        NodeView<Word> view;
        view.start(&open);
        std::vector<Candidate> candidates(columns.size());
        for_each_index(columns.size(), context.criterion.thread_safe() ? threads : 1,
                       [&](std::size_t c) {
                           Workspace<Word> workspace;
                           evaluator.evaluate(view, open.ranges[c], c, workspace, candidates[c]);
                       });
        Workspace<Word> workspace;
        if (!choice.choose(view, candidates.data(), open, *builder_, workspace)) {
            nodes_[node].state = TopState::leaf;
            return;
        }
        const auto c = static_cast<std::size_t>(open.column);
        BuiltCondition condition = evaluator.describe().of(open, c, open.best);
        condition.log_p = open.log_p;
        require_exact(context, open, made.column(c));
        divide(node, std::move(condition), open.best, made.column(c));
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
            route.branch_of_level.assign(problem_.table[c].levels, -1);
            for (const auto& [code, branch] : node.condition.levels)
                route.branch_of_level[static_cast<std::size_t>(code)] = branch;
        }
        return routes;
    }

    Beginning beginning(std::size_t node) const override {
        const TopNode& at = nodes_[node];
        return {at.depth,          at.plan,           at.bounds,
                given_.all_weight, given_.grain_rows, given_.channels.plain()};
    }
    std::int32_t competitor_depth() const override { return problem_.parameters.competitor_depth; }
    void graft(std::size_t node, const Tree& subtree) override {
        if (nodes_[node].state != TopState::open)
            throw std::invalid_argument("this node is not open");
        builder_->graft(nodes_[node].id, subtree.arrays());
        nodes_[node].state = TopState::grafted;
    }
    Tree finish(Interrupt& interrupt) override {
        const GrowParameters& parameters = problem_.parameters;
        if (std::min(parameters.max_leaves, parameters.max_expansions) <
            std::numeric_limits<std::int64_t>::max())
            builder_->limit(parameters, interrupt);
        return Tree(task, problem_.table.size(), samples_.width(),
                    builder_->finish(parameters, parameters.threads, interrupt));
    }

  private:
    static constexpr Task task = P::classification ? Task::classification : Task::regression;

    struct TopNode {
        TopState state = TopState::counted;
        std::int32_t parent = -1;
        std::int32_t depth = 0;
        std::int32_t id = -1;  // in the builder
        std::int64_t most_rows = 0;
        bool ready = false;  // its totals are known
        bool known_only = false;
        bool divided = false;  // some rows were divided above it
        NodeStats stats;
        NodePlan plan;
        std::vector<double> bounds;
        BuiltCondition condition;
        std::vector<std::int32_t> children;
        std::vector<double> known_weight;
    };

    // As in memory, where nodes of whole rows without weights are counted.
    bool counts_rows(const TopNode& node) const {
        return given_.channels.unweighted() && !node.divided;
    }
    double least_rows(const TopNode& node) const {
        const double rows = problem_.parameters.min_candidate_leaf();
        return counts_rows(node) ? std::max(rows, context_->branch_limits.least_weight()) : rows;
    }
    bool numeric(std::size_t c) const { return problem_.table[c].kind == Kind::numeric; }

    Problem problem_on(const Table& table) const {
        Problem problem{table};
        problem.classes = problem_.classes;
        problem.criterion = problem_.criterion;
        problem.nominal = problem_.nominal;
        problem.parameters = problem_.parameters;
        problem.constraints = problem_.constraints;
        problem.beginning = &whole_;
        return problem;
    }

    void set_stats(TopNode& node, const SlotTotals& totals) const {
        NodeStats& stats = node.stats;
        stats.clear(samples_.width());
        given_.channels.sums(totals.channels.data(), stats.sums.data());
        stats.weight = P::weight_of(stats.sums.data(), stats.sums.size());
        stats.support = given_.channels.support(totals.channels.data());
        stats.rows = totals.rows;
        stats.low = totals.low;
        stats.high = totals.high;
        stats.deviance = Fixed(given_.deviance_size).value(totals.deviance);
        const Finisher<P> finisher(*context_);
        finisher.finish(stats, [&] {
            // Two rows with the moments of all.
            const double mean = stats.sums[1] / stats.sums[0];
            const double spread =
                std::sqrt(std::max(0.0, stats.sums[2] / stats.sums[0] - mean * mean));
            const double half = stats.sums[0] / 2;
            const double centre = context_->centre;
            return NodeRows{{centre + mean - spread, centre + mean + spread}, {half, half}};
        });
    }
    void settle(TopNode& node) const {
        node.state = !node.plan.closed && choice_->may_split(node.stats, node.depth)
                         ? TopState::open
                         : TopState::leaf;
    }

    bool any_holes(std::span<const ColumnCounts> columns) const {
        const std::size_t width = given_.channels.count();
        return std::any_of(columns.begin(), columns.end(), [&](const ColumnCounts& counts) {
            return !given_.channels.empty(counts.cells.data() + counts.cells.size() - width);
        });
    }
    // Gives the best gain of a cut between cells. Marks the cells in which a cut may gain as much,
    // and as much as `other`, the gain of another column; null: none are marked.
    double open_column(const TopNode& node, const ColumnCounts& counts, std::size_t c, double other,
                       std::vector<std::uint8_t>* to) const {
        constexpr double nothing = -std::numeric_limits<double>::infinity();
        if (!numeric(c) || !node.plan.allows(c)) return nothing;
        const Channels& channels = given_.channels;
        const std::size_t width = channels.count();
        CellSums cells;
        cells.width = samples_.width();
        const std::size_t count = counts.cells.size() / width - 1;
        cells.sums.resize(count * cells.width);
        cells.support.resize(count);
        cells.edge_cells = counts.edge_cells;
        std::vector<double> known(cells.width, 0.0), rest(cells.width, 0.0);
        double known_support = 0.0;
        for (std::size_t cell = 0; cell < count; ++cell) {
            const std::int64_t* at = counts.cells.data() + cell * width;
            if (channels.empty(at)) continue;
            channels.sums(at, cells.sums.data() + cell * cells.width);
            cells.support[cell] = channels.support(at);
            known_support += cells.support[cell];
            for (std::size_t j = 0; j < cells.width; ++j)
                known[j] += cells.sums[cell * cells.width + j];
        }
        const std::int64_t* holes = counts.cells.data() + count * width;
        const bool missing = !channels.empty(holes);
        if (missing) channels.sums(holes, rest.data());
        std::vector<std::uint8_t> marked(count, 0);
        const Criterion& criterion = context_->criterion.of_thresholds();
        CellOpener opener(criterion, P::classification, samples_.width());
        opener.set_targets(node.stats.low, node.stats.high);
        const GrowParameters& parameters = context_->parameters;
        const bool fractional = parameters.missing == Missing::fractional;
        const bool combines = missing && parameters.divides_first() && !criterion.quadratic();
        if (!opener.bounds() || combines) {
            if (to == nullptr) return nothing;
            mark_all(cells, marked);
            *to = std::move(marked);
            return nothing;
        }
        const bool limited = context_->branch_limits.asked();
        std::vector<CutFrame> frames;
        CutLimits limits;
        const double* total = missing && fractional ? known.data() : node.stats.sums.data();
        if (limited) {
            limits = context_->branch_limits.limits(node.bounds, c, given_.centre)
                         .over(total, context_->weight_of(total));
            if (missing && fractional) {
                limits = limits.over(total, context_->weight_of(total), rest.data(),
                                     context_->weight_of(rest.data()));
            }
        }
        CutFrame frame{total, missing && fractional ? known_support : node.stats.support};
        frame.min_leaf = missing && fractional ? parameters.min_candidate_leaf() : least_rows(node);
        frame.limits = limited ? &limits : nullptr;
        frames.push_back(frame);
        if (missing && !fractional) {
            frame.preload = rest.data();
            frame.preload_support = node.stats.support - known_support;
            frames.push_back(frame);
        }
        double best = -std::numeric_limits<double>::infinity();
        for (const CutFrame& one : frames) best = std::max(best, opener.best_between(cells, one));
        if (to == nullptr) return best;
        const double scale = std::isfinite(node.stats.scale) ? node.stats.scale : std::abs(best);
        const double floor = std::max(best, other) - 8.0 * tie_tolerance * scale;
        for (const CutFrame& one : frames) opener.mark(cells, one, floor, marked);
        *to = std::move(marked);
        return best;
    }
    static void mark_all(const CellSums& cells, std::vector<std::uint8_t>& marked) {
        for (std::size_t cell = 0; cell < cells.cells(); ++cell)
            marked[cell] = cells.openable(cell) && cells.support[cell] > 0.0 ? 1 : 0;
    }

    // A threshold between cells would be wrong: the bound sees to it that there is none.
    void require_exact(const Context<P>& context, const OpenNode<Word>& node,
                       const CountedColumn& column) const {
        if (node.best.kind != ConditionKind::threshold || node.best.known_only) return;
        const auto form = context.ordered(node, static_cast<std::size_t>(node.column));
        const std::size_t cut = node.best.boundary.position;
        if (!column.values[form.row(cut - 1)].exact || !column.values[form.row(cut)].exact)
            throw std::logic_error("the best threshold lies next to a cell that was not opened");
    }

    // Makes the branches of a node. Their totals follow from the counts if no row is divided.
    void divide(std::size_t node, BuiltCondition condition, const Candidate& best,
                const CountedColumn& column) {
        const std::size_t branches = best.branches;
        const std::size_t width = given_.channels.count();
        std::vector<SlotTotals> totals(branches);
        for (SlotTotals& of_branch : totals) of_branch.channels.assign(width, 0);
        const auto add = [&](std::size_t branch, const std::int64_t* channels) {
            for (std::size_t j = 0; j < width; ++j) totals[branch].channels[j] += channels[j];
        };
        std::vector<std::int32_t> branch_of_level;
        for (const auto& [code, branch] : condition.levels) {
            branch_of_level.resize(
                std::max(branch_of_level.size(), static_cast<std::size_t>(code) + 1), -1);
            branch_of_level[static_cast<std::size_t>(code)] = branch;
        }
        for (const CountedValue& value : column.values) {
            std::size_t branch;
            if (condition.kind == ConditionKind::threshold) {
                const auto c = static_cast<std::size_t>(condition.attribute);
                const double number = numeric(c) ? value.value : static_cast<double>(value.code);
                // A cell that was not opened lies above its lower edge.
                const bool left =
                    value.exact ? number <= condition.threshold : number < condition.threshold;
                branch = left ? 0 : 1;
            } else {
                branch =
                    static_cast<std::size_t>(branch_of_level[static_cast<std::size_t>(value.code)]);
            }
            add(branch, value.channels);
        }
        TopNode& parent = nodes_[node];
        std::vector<double> sums(samples_.width());
        parent.known_weight.clear();
        for (SlotTotals& of_branch : totals) {
            given_.channels.sums(of_branch.channels.data(), sums.data());
            parent.known_weight.push_back(context_->weight_of(sums.data()));
        }
        const bool spread = column.holes != nullptr && best.missing_to < 0;
        double divided = 0.0;
        if (spread) {
            divided = given_.channels.support(column.holes);
        } else if (column.holes != nullptr) {
            add(static_cast<std::size_t>(best.missing_to), column.holes);
        }
        parent.state = TopState::split;  // unless its branches break a constraint
        parent.known_only = best.known_only;
        parent.condition = std::move(condition);
        parent.condition.gain = best.gain;
        const auto first = static_cast<std::int32_t>(nodes_.size());
        for (std::size_t b = 0; b < branches; ++b)
            parent.children.push_back(first + static_cast<std::int32_t>(b));
        const std::int32_t depth = parent.depth;
        const std::int64_t all = parent.stats.rows;
        const bool below_divided = parent.divided || spread;
        for (std::size_t b = 0; b < branches; ++b) {
            TopNode child;
            child.parent = static_cast<std::int32_t>(node);
            child.depth = depth + 1;
            child.divided = below_divided;
            const double support = given_.channels.support(totals[b].channels.data()) + divided;
            // Parts of rows: any row may be there.
            child.most_rows =
                given_.divides ? all : static_cast<std::int64_t>(std::ceil(support - row_slack));
            nodes_.push_back(std::move(child));
        }
        if (!P::classification || given_.divides) return;
        for (std::size_t b = 0; b < branches; ++b) {
            const auto child = static_cast<std::size_t>(first) + b;
            totals[b].rows = nodes_[child].most_rows;
            count(child, totals[b]);
        }
    }

    // All totals of the branches are known.
    void make_children(TopNode& parent) {
        std::vector<NodeStats> stats;
        for (const std::int32_t child : parent.children)
            stats.push_back(nodes_[static_cast<std::size_t>(child)].stats);
        const auto c = static_cast<std::size_t>(parent.condition.attribute);
        const BranchLimits& limits = context_->branch_limits;
        if (limits.asked() && !limits.hold(parent.bounds, c, parent.known_only, stats, false)) {
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
            child.id =
                builder_->add(child.stats, parent.id, child.depth, parent.known_weight[b] / known);
            if (b == 0) builder_->set_children(parent.id, child.id, parent.children.size());
            child.plan = planner_.branch(parent.plan, parent.condition.attribute, b);
            child.bounds = parent.bounds;
            if (limits.monotone())
                limits.pass_on(parent.bounds, c, parent.known_only, middle, b, child.bounds);
            settle(child);
        }
    }

    Problem problem_;
    TopGiven given_;
    Beginning whole_;
    Planner planner_;
    Samples samples_;
    std::vector<bool> sparse_;
    std::vector<CodedColumn> coded_;
    Interrupt interrupt_;
    std::unique_ptr<Context<P>> context_;
    std::unique_ptr<Evaluator<P>> evaluator_;
    std::unique_ptr<SplitChoice<P>> choice_;
    std::unique_ptr<Builder> builder_;
    std::vector<TopNode> nodes_;
};

}  // namespace ramify
