// What every step of growth reads: the problem, its samples, and the forms of its columns.
// Invariant: it changes nothing; samples may be added to while rows are routed, never while columns
// are evaluated.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "columns/cells.hpp"
#include "columns/coded.hpp"
#include "columns/ordered.hpp"
#include "evaluate/branch_limits.hpp"
#include "evaluate/column_survey.hpp"
#include "problem/problem.hpp"
#include "splits/walks/choose.hpp"

namespace ramify {

template <Target P>
struct Context {
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Cell = typename P::Cell;
    using Node = OpenNode<Word>;

    Context(const Problem& of, const Samples& with, const std::vector<bool>& sparse_columns,
            const std::vector<CodedColumn>& coded_columns, Interrupt& polled)
        : problem(of),
          parameters(of.parameters),
          criterion(*of.criterion),
          samples(with),
          sparse(sparse_columns),
          rows_column(of.table.size()),
          interrupt(polled),
          cells(with, sparse_columns, coded_columns, of.table.size()),
          balances_ties(of.parameters.ties == Ties::balanced ||
                        (of.parameters.ties == Ties::automatic && of.criterion->balances_ties())),
          walks(*of.criterion, of.table.rows(), balances_ties),
          branch_limits(of),
          by_ranks_(of.criterion->walk_kind() == WalkKind::ranks),
          by_deviance_(ramify::by_deviance(*of.criterion)) {}

    const Problem& problem;
    const GrowParameters& parameters;
    const Criterion& criterion;
    const Samples& samples;
    const std::vector<bool>& sparse;
    std::size_t rows_column;  // lists all rows of a node, if any column needs that
    Interrupt& interrupt;
    NodeCells<P> cells;
    // Whether the best balanced of the splits that tie is made; otherwise the first.
    bool balances_ties;
    Walks<P> walks;
    BranchLimits branch_limits;
    double centre = 0.0;              // what was subtracted from the targets
    bool counts_rows = !P::weighted;  // the support of a branch is its weight
    // A criterion by ranks: the rank of a sample in its node.
    const std::vector<std::uint32_t>* ranks = nullptr;
    // Where samples stand for counted rows: per column, the rows without a value that a split would
    // divide, if such rows count in every branch.
    const std::vector<double>* divided_rows = nullptr;
    // Where the values of a column are not all there: what its tests read of them.
    const ColumnSurvey* survey = nullptr;

    OrderedForm<P> ordered(const Node& node, std::size_t c) const {
        return {samples, problem.table[c], node, c, sparse[c]};
    }
    CodedForm<P> coded(const Node& node, std::size_t c, const Cell* of_node = nullptr) const {
        return {samples, cells, problem.table[c], node, c, of_node};
    }
    // Calls function(form) with the form that a node has of a column.
    template <typename Function>
    decltype(auto) with_form(const Node& node, std::size_t c, Function&& function) const {
        return node.ranges[c].coded ? function(coded(node, c)) : function(ordered(node, c));
    }

    // Whether splits of a column divide its levels; otherwise they are thresholds.
    bool by_levels(std::size_t c) const {
        const Kind kind = problem.table[c].kind;
        return kind == Kind::nominal || (kind == Kind::ordinal && parameters.merges());
    }
    // Whether the tree is told the standard deviation of the targets, because the impurity is
    // another measure.
    bool keeps_spreads() const { return by_ranks() || by_deviance(); }
    // Every node asks these several times, so the criterion is asked once.
    bool by_ranks() const { return by_ranks_; }
    bool by_deviance() const { return by_deviance_; }
    double weight_of(const double* sums) const { return P::weight_of(sums, samples.width()); }
    double impurity(const double* sums) const { return criterion.impurity(sums, samples.width()); }
    // Score of a partition into children whose sums lie one after the other.
    double score(const double* node, const double* children, std::size_t count) const {
        return criterion.score({node, children, count, samples.width()});
    }
    // The score of leaving the node as it is. The gain of a split is what it scores beyond that.
    double baseline(const NodeStats& stats) const {
        return criterion.baseline(stats.sums.data(), samples.width());
    }
    // The scale of scores.
    double scale_of(const double* sums, double impurity_of_sums) const {
        return criterion.drop_of_impurity() ? impurity_of_sums
                                            : criterion.scale(sums, samples.width());
    }
    // The support that a branch of whole rows must have for its split to be a candidate.
    double min_leaf() const {
        const double rows = parameters.min_candidate_leaf();
        return counts_rows ? std::max(rows, branch_limits.least_weight()) : rows;
    }
    // What the splits of a node by a column must satisfy, beside a number of rows.
    CutLimits limits(const Node& node, std::size_t c) const {
        return branch_limits.limits(node.bounds, c, centre);
    }
    // The balance of branches whose sums lie one after the other, if it is asked for.
    double balance(const double* branches, std::size_t count) const {
        if (!balances_ties) return 0.0;
        return balance_of(count,
                          [&](std::size_t b) { return weight_of(branches + b * samples.width()); });
    }
    WalkTotal total(const double* sums, double weight, double support, double scale,
                    double floor = -std::numeric_limits<double>::infinity()) const {
        return {sums, weight, support, scale, min_leaf(), floor};
    }

  private:
    bool by_ranks_, by_deviance_;
};

// Gains closer than this tie. A criterion written in Python has no impurity, so its scale is one.
inline double tie_of(const NodeStats& stats) {
    return tie_tolerance * (std::isfinite(stats.scale) ? stats.scale : 1.0);
}

// Whether no other column can win at a node, because both sides of a split are pure.
template <Target P>
bool unbeatable(const Context<P>& context, const NodeStats& stats, double gain) {
    if (P::weighted || context.balances_ties) return false;
    if (!P::classification) return stats.rows == 2 && context.criterion.drop_of_impurity();
    // With so few rows, the gain of a split that leaves a child impure is smaller by more than
    // rounding.
    return stats.rows <= 4096 && context.criterion.strictly_concave() &&
           context.criterion.drop_of_impurity() && gain >= stats.impurity * (1.0 - 1e-12);
}

}  // namespace ramify
