// A node of the top of a tree, and what all nodes share. Invariant: a node that is open has its
// totals, its plan and its bounds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "criteria/contest.hpp"
#include "evaluate/context.hpp"
#include "node/built_condition.hpp"
#include "stream/counted_column.hpp"

namespace ramify {

// The best split of a column, and what the choice reads of the column.
struct ColumnSplit {
    Candidate split;
    KeptColumn column;
    // Of a condition that was laid down: its branches that have rows.
    std::vector<std::int32_t> kept;
};

// A column that is searched part by part: for each side of the rows without a value, the best split
// so far.
struct PartedColumn {
    explicit PartedColumn(bool balanced) { contests.fill(Contest(balanced)); }
    std::array<Contest, sides_of_missing> contests;
    std::array<ColumnSplit, sides_of_missing> best;
    ColumnSplit none;  // what is known of the column if no part can be split
};

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
    // Per column, while it is open.
    std::vector<std::optional<ColumnSurvey>> surveys;
    std::vector<std::optional<ColumnSplit>> found;
    std::vector<std::optional<PartedColumn>> parted;
    BuiltCondition condition;
    std::vector<std::int32_t> children;
    std::vector<double> known_weight;
};

// The problem as the searches read it: nodes have samples of their own.
template <Target P>
class TopFacts {
  public:
    TopFacts(const Problem& of, const TopGiven& with)
        : problem(of),
          given(with),
          samples_(of.classes),
          sparse_(of.table.size(), false),
          coded_(of.table.size()) {
        whole_.all_weight = given.all_weight;
        whole_.divides = given.divides;
        problem.beginning = &whole_;
        if (!given.competitors) problem.parameters.competitor_depth = 0;
        samples_.mean = given.mean;
        context = std::make_unique<Context<P>>(problem, samples_, sparse_, coded_, interrupt_);
        context->centre = given.centre;
    }
    TopFacts(const TopFacts&) = delete;

    std::size_t columns() const { return problem.table.size(); }
    std::size_t width() const { return samples_.width(); }
    bool numeric(std::size_t c) const { return problem.table[c].kind == Kind::numeric; }
    // Tests of a numeric column, and the price of choosing among its cuts, read all of its values.
    bool surveys() const {
        const GrowParameters& parameters = problem.parameters;
        return parameters.selection != Selection::criterion || parameters.significance < 1.0 ||
               (parameters.numeric_penalty && problem.criterion->by_information());
    }
    // The rows that a side of a cut between whole rows needs.
    double least_rows(const TopNode& node) const {
        const double rows = problem.parameters.min_candidate_leaf();
        return counts_rows(node) ? std::max(rows, context->branch_limits.least_weight()) : rows;
    }
    // As in memory, where nodes of whole rows without weights are counted.
    bool counts_rows(const TopNode& node) const {
        return given.channels.unweighted() && !node.divided;
    }

    // What a skeleton demands of a node.
    const SkeletonNode& asked(const TopNode& node) const {
        return problem.constraints->skeleton[static_cast<std::size_t>(node.plan.place)];
    }

    // The same problem on another table, and what its searches read.
    Problem problem_on(const Table& table) const {
        Problem other{table};
        other.classes = problem.classes;
        other.criterion = problem.criterion;
        other.nominal = problem.nominal;
        other.parameters = problem.parameters;
        other.constraints = problem.constraints;
        other.beginning = &whole_;
        return other;
    }
    Context<P> context_on(const Problem& on, const Samples& samples, const TopNode& node,
                          Interrupt& interrupt) const {
        Context<P> other(on, samples, sparse_, coded_, interrupt);
        other.centre = given.centre;
        other.counts_rows = counts_rows(node);
        return other;
    }
    // A node as its table and its samples have it.
    static void put(const TopNode& from, OpenNode<typename P::Word>& to) {
        to.id = from.id;
        to.depth = from.depth;
        to.plan = from.plan;
        to.bounds = from.bounds;
    }

    Problem problem;
    TopGiven given;
    std::unique_ptr<Context<P>> context;

  private:
    Beginning whole_;
    Samples samples_;
    std::vector<bool> sparse_;
    std::vector<CodedColumn> coded_;
    Interrupt interrupt_;
};

}  // namespace ramify
