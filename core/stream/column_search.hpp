// The best split of one column of a node, from its counts, and then the choice between columns.
// Invariant: the choice reads of a column what was kept of it alone, so that the values of one
// column at a time are in memory.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grow/builder.hpp"
#include "grow/choice.hpp"
#include "stream/counted_node.hpp"
#include "stream/ranked_node.hpp"
#include "stream/top_node.hpp"

namespace ramify {

template <Target P>
class ColumnSearch {
  public:
    using Word = typename P::Word;

    // What a node is split by.
    struct Chosen {
        BuiltCondition condition;
        Candidate split;
        CountedColumn column;  // refers to what is kept of the column
    };

    explicit ColumnSearch(const TopFacts<P>& facts) : facts_(facts) {}

    // Finds the best split of a column.
    ColumnSplit find(const TopNode& node, std::size_t c, const ColumnCounts& counts,
                     Interrupt& interrupt) const {
        if (facts_.context->by_ranks()) return find_by_ranks(node, c, counts, interrupt);
        OneColumn one(facts_, node, c, counts, interrupt);
        ColumnSplit found;
        found.split = node.plan.forced() ? one.forced(facts_.asked(node), found.kept) : one.best();
        if (!found.split.valid()) return found;
        found.column = KeptColumn(one.column(), facts_.numeric(c), one.cut(found.split),
                                  facts_.given.channels.count());
        return found;
    }
    // Adds a part of a column to what is known of it.
    void find_in_part(TopNode& node, std::size_t c, const ColumnCounts& counts,
                      Interrupt& interrupt) const {
        node.parted.resize(facts_.columns());
        std::optional<PartedColumn>& parted = node.parted[c];
        if (!parted) parted.emplace(facts_.context->balances_ties);
        const auto side = static_cast<std::size_t>(counts.missing_side);
        ColumnSplit found = find_by_ranks(node, c, counts, interrupt);
        if (!found.split.valid()) {
            parted->none = std::move(found);
        } else if (wins(node, found.split, parted->contests[side])) {
            parted->best[side] = std::move(found);
        }
    }
    // The best split of all parts.
    ColumnSplit best_of(const TopNode& node, PartedColumn& parted) const {
        Contest contest(facts_.context->balances_ties);
        ColumnSplit best;
        for (ColumnSplit& found : parted.best) {
            if (found.split.valid() && wins(node, found.split, contest)) best = std::move(found);
        }
        return best.split.valid() ? best : std::move(parted.none);
    }
    std::vector<std::size_t> order_of_levels(const TopNode& node, std::size_t c,
                                             const ColumnCounts& counts,
                                             Interrupt& interrupt) const {
        return RankedNode<P>(facts_, node, c, counts, interrupt).order_of_levels();
    }

    // The cells on both sides of the best cut of a column; none if it is no cut between values.
    std::optional<std::pair<std::size_t, std::size_t>> cells_of_best(const TopNode& node,
                                                                     std::size_t c,
                                                                     const ColumnCounts& counts,
                                                                     Interrupt& interrupt) const {
        const OneColumn one(facts_, node, c, counts, interrupt);
        const Candidate best = one.best();
        if (!best.valid() || best.known_only) return std::nullopt;
        const auto& values = one.column().values;
        const std::size_t cut = one.cut(best);
        return std::pair{static_cast<std::size_t>(values[cut - 1].code),
                         static_cast<std::size_t>(values[cut].code)};
    }

    // Adds the values of the cells that were opened to what tests read of a column; if none were,
    // those of edges that have cells of their own.
    void survey(const ColumnCounts& counts, ColumnSurvey& to) const {
        const Channels& channels = facts_.given.channels;
        std::vector<double> sums(facts_.width());
        const CountedColumn column = counted_column(counts, true, channels);
        double up_to = 0.0;
        for (const CountedValue& value : column.values) {
            const auto cell = static_cast<std::size_t>(value.code);
            up_to += channels.support(value.channels);
            if (!value.exact || (!counts.opened.empty() && counts.opened[cell] == 0)) continue;
            channels.sums(value.channels, sums.data());
            to.add(value.value, sums.data(), up_to);
        }
    }
    ColumnSurvey new_survey(const TopNode& node, const ColumnCounts& counts) const {
        const CountedColumn column = counted_column({counts.cells, counts.edges, counts.edge_cells},
                                                    true, facts_.given.channels);
        const std::span<const double> edges = counts.edges;
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        const auto take = [&](std::size_t edge) {
            if (edge >= edges.size() || std::isinf(edges[edge])) return;
            low = std::min(low, edges[edge]);
            high = std::max(high, edges[edge]);
        };
        // The edges on both sides of the cells that have values.
        for (const CountedValue& value : column.values) {
            const auto cell = static_cast<std::size_t>(value.code);
            const std::size_t upper = counts.edge_cells ? cell / 2 : cell;
            take(upper);
            if (upper > 0) take(upper - 1);
        }
        if (low > high) low = high = 0.0;
        CutRoom room;
        for (const CountedValue& value : column.values)
            room.known += facts_.given.channels.support(value.channels);
        const bool missing = column.holes != nullptr;
        const Channels& channels = facts_.given.channels;
        if (missing) room.missing = channels.support(column.holes);
        room.least = missing
                         ? facts_.problem.parameters.min_known_leaf(channels.divided(column.holes))
                         : facts_.least_rows(node);
        return {low, high, facts_.problem.classes, room};
    }

    // The split that a skeleton demands, which was found.
    Chosen make_forced(const TopNode& node, Interrupt& interrupt) const {
        const auto c = static_cast<std::size_t>(facts_.asked(node).attribute);
        const ColumnSplit& found = *node.found[c];
        std::vector<CountedColumn> columns(facts_.columns());
        columns[c] = found.column.column();
        CountedNode<P> made(facts_.problem, facts_.given, node.stats, std::move(columns));
        facts_.put(node, made.node);
        Candidate split = found.split;
        split.boundary.position = made.entry_of(c, found.column.cut());
        const Problem problem = facts_.problem_on(made.table());
        Context<P> context = facts_.context_on(problem, made.samples(), node, interrupt);
        context.divided_rows = &made.divided_rows();
        const Evaluator<P> evaluator(context);
        Chosen chosen{evaluator.describe().of(made.node, c, split), split, made.column(c)};
        chosen.condition.forced = true;
        return chosen;
    }

    // Chooses between the splits that were found of all columns. None: the node stays a leaf. The
    // splits of the other columns go to the builder.
    std::optional<Chosen> choose(const TopNode& node, Builder& builder,
                                 Interrupt& interrupt) const {
        std::vector<CountedColumn> columns(facts_.columns());
        std::vector<Candidate> candidates(facts_.columns());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (c >= node.found.size() || !node.found[c].has_value()) {
                if (!node.plan.allows(c)) continue;
                throw std::invalid_argument("a column of the node was not looked at");
            }
            candidates[c] = node.found[c]->split;
            if (candidates[c].valid()) columns[c] = node.found[c]->column.column();
        }
        CountedNode<P> made(facts_.problem, facts_.given, node.stats, std::move(columns));
        OpenNode<Word>& open = made.node;
        facts_.put(node, open);
        for (std::size_t c = 0; c < candidates.size(); ++c) {
            if (candidates[c].valid())
                candidates[c].boundary.position = made.entry_of(c, node.found[c]->column.cut());
        }
        const Problem problem = facts_.problem_on(made.table());
        Context<P> context = facts_.context_on(problem, made.samples(), node, interrupt);
        context.divided_rows = &made.divided_rows();
        const Evaluator<P> evaluator(context);
        const SplitChoice<P> choice(context, evaluator);
        NodeView<Word> view;
        view.start(&open);
        Workspace<Word> workspace;
        if (!choice.choose(view, candidates.data(), open, builder, workspace)) return std::nullopt;
        const auto c = static_cast<std::size_t>(open.column);
        Chosen chosen{evaluator.describe().of(open, c, open.best), open.best, made.column(c)};
        chosen.condition.log_p = open.log_p;
        require_exact(open.best, made, c);
        return chosen;
    }

  private:
    static bool wins(const TopNode& node, const Candidate& split, Contest& contest) {
        return contest.offer(split.gain, tie_of(node.stats), [&] { return split.balance; });
    }
    ColumnSplit find_by_ranks(const TopNode& node, std::size_t c, const ColumnCounts& counts,
                              Interrupt& interrupt) const {
        ColumnSplit found;
        const bool forced = node.plan.forced();
        if (forced ? static_cast<std::size_t>(facts_.asked(node).attribute) != c
                   : !node.plan.allows(c))
            return found;
        RankedNode<P> ranked(facts_, node, c, counts, interrupt);
        if (forced) {
            found.kept = ranked.force(facts_.asked(node), found.split);
        } else {
            const ColumnCounts sums{ranked.sums(), counts.edges, counts.edge_cells};
            const OneColumn one(facts_, node, c, sums, interrupt);
            if (!one.passes(found.split)) return found;
            ranked.search(found.split);
        }
        if (!found.split.valid()) return found;
        found.column = KeptColumn(ranked.column(), facts_.numeric(c), ranked.cut(found.split),
                                  facts_.given.channels.count());
        return found;
    }

    // A node of which one column is known.
    class OneColumn {
      public:
        OneColumn(const TopFacts<P>& facts, const TopNode& node, std::size_t c,
                  const ColumnCounts& counts, Interrupt& interrupt)
            : column_(c),
              made_(facts.problem, facts.given, node.stats, only(facts, c, counts)),
              problem_(searching(facts.problem_on(made_.table()))),
              context_(facts.context_on(problem_, made_.samples(), node, interrupt)) {
            context_.divided_rows = &made_.divided_rows();
            facts.put(node, made_.node);
            if (c < node.surveys.size() && node.surveys[c].has_value())
                context_.survey = &*node.surveys[c];
        }
        OneColumn(const OneColumn&) = delete;

        const CountedColumn& column() const { return made_.column(column_); }
        // The split that a skeleton demands, if it is one of this column.
        Candidate forced(const SkeletonNode& asked, std::vector<std::int32_t>& kept) {
            Candidate split;
            if (static_cast<std::size_t>(asked.attribute) != column_) return split;
            const Evaluator<P> evaluator(context_);
            NodeView<Word> view;
            view.start(&made_.node);
            Workspace<Word> workspace;
            kept = evaluator.force(view, made_.node.ranges[column_], asked, workspace, split);
            return split;
        }
        // Whether it passes the tests of columns.
        bool passes(Candidate& out) const {
            const Evaluator<P> evaluator(context_);
            if (!evaluator.screens()) return true;
            NodeView<Word> view;
            view.start(&made_.node);
            Workspace<Word> workspace;
            return evaluator.passes(view, column_, workspace, out);
        }
        Candidate best() const {
            const Evaluator<P> evaluator(context_);
            NodeView<Word> view;
            view.start(&made_.node);
            Candidate best;
            Workspace<Word> workspace;
            Range range = made_.node.ranges[column_];
            evaluator.evaluate(view, range, column_, workspace, best);
            return best;
        }
        // The first value on the right of a threshold.
        std::size_t cut(const Candidate& split) const {
            const std::size_t end = made_.node.ranges[column_].size;
            const bool cuts =
                split.kind == ConditionKind::threshold && split.boundary.position < end;
            return cuts ? made_.value_at(column_, split.boundary.position) : column().values.size();
        }

      private:
        static std::vector<CountedColumn> only(const TopFacts<P>& facts, std::size_t c,
                                               const ColumnCounts& counts) {
            std::vector<CountedColumn> columns(facts.columns());
            columns[c] = counted_column(counts, facts.numeric(c), facts.given.channels);
            if (!columns[c].present())
                throw std::invalid_argument("a column of an open node has no counts");
            return columns;
        }
        // Every column is searched at once: later its values are gone.
        static Problem searching(Problem problem) {
            problem.parameters.competitor_depth = std::numeric_limits<std::int32_t>::max();
            return problem;
        }

        std::size_t column_;
        CountedNode<P> made_;
        Problem problem_;
        Context<P> context_;
    };

    // A threshold between cells would be wrong: the bound sees to it that there is none.
    static void require_exact(const Candidate& best, const CountedNode<P>& made, std::size_t c) {
        if (best.kind != ConditionKind::threshold || best.known_only) return;
        const auto& values = made.column(c).values;
        const std::size_t cut = made.value_at(c, best.boundary.position);
        if (!values[cut - 1].exact || !values[cut].exact)
            throw std::logic_error("the best threshold lies next to a cell that was not opened");
    }

    const TopFacts<P>& facts_;
};

}  // namespace ramify
