// The problem of an optimal tree, and its answer. Columns are codes: a split (column, code) sends a
// row to the left if its code in that column is at most `code`. A column of two codes may be bits,
// one a row. Invariant: codes of a column lie in [0, values); labels in [0, classes); weights are
// positive.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "optimal/number_loss.hpp"
#include "tree/tree.hpp"

namespace ramify::optimal {

struct SearchColumn {
    std::span<const std::int32_t> codes;
    std::span<const std::uint64_t> bits;  // instead of codes
    std::int32_t values = 0;

    std::int32_t operator[](std::size_t row) const {
        return bits.empty() ? codes[row]
                            : static_cast<std::int32_t>(bits[row / 64] >> row % 64 & 1);
    }
};

// One node of a tree; the root is node 0, `column` of a leaf is -1.
struct Node {
    std::int32_t column = -1;
    std::int32_t code = 0;
    std::int32_t left = -1;
    std::int32_t right = -1;
};
using NodeList = std::vector<Node>;

struct OptimalProblem {
    Task task = Task::classification;
    std::size_t rows = 0;
    std::vector<SearchColumn> columns;
    std::span<const std::int32_t> labels;  // classification
    std::size_t classes = 0;
    std::vector<double> costs;       // true x predicted, at least 0; empty: 1 off the diagonal
    std::span<const double> target;  // regression
    NumberObjective objective;       // of a regression
    // Instead of labels: what each answer loses in each row, rows x classes, at least 0.
    std::span<const double> regrets;
    std::span<const double> weights;  // empty: all 1
    NodeList start;                   // a tree to begin with; may be empty

    // Counts the values of a column. Throws std::invalid_argument if a code is negative.
    void add_column(std::span<const std::int32_t> codes);
    // Adds a node of the tree to begin with, as column, code, left, right.
    void add_start(std::span<const std::int32_t> node);
    // Throws std::invalid_argument naming what does not fit.
    void check() const;
};

struct Limits {
    int max_depth = 3;
    std::int64_t max_leaves = std::numeric_limits<std::int64_t>::max();
    std::int64_t min_samples_leaf = 1;  // rows, whatever their weight
    double sparsity = 0.0;              // added to the loss for every leaf
    double upper_bound = std::numeric_limits<double>::infinity();  // only trees below are wanted
    double seconds = std::numeric_limits<double>::infinity();
    std::size_t memory = std::size_t{1} << 30;  // bytes that the cache may take
    int threads = 1;

    template <typename Self, typename Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("max_depth", self.max_depth);
        visit("max_leaves", self.max_leaves);
        visit("min_samples_leaf", self.min_samples_leaf);
        visit("sparsity", self.sparsity);
        visit("upper_bound", self.upper_bound);
        visit("seconds", self.seconds);
        visit("memory", self.memory);
        visit("threads", self.threads);
    }
};

// The parts that make the search fast. Invariant: switching any of them off never changes the
// optimum.
struct Switches {
    bool cache = true;
    bool depth_two = true;        // trees of depth two by counting pairs, not by recursion
    bool similarity = true;       // bounds from subproblems that differ in few rows
    bool equivalent_rows = true;  // rows that no feature tells apart
    bool discrepancy = true;      // limited-discrepancy passes before the complete one
    bool neighbours = true;       // bounds shared between the thresholds of a column
    int instructions = 2;         // at most: 0 those of any processor, 1 AVX2, 2 AVX-512

    template <typename Self, typename Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("cache", self.cache);
        visit("depth_two", self.depth_two);
        visit("similarity", self.similarity);
        visit("equivalent_rows", self.equivalent_rows);
        visit("discrepancy", self.discrepancy);
        visit("neighbours", self.neighbours);
        visit("instructions", self.instructions);
    }
};

struct Moment {
    double seconds;
    double objective;
    double bound;
};

struct Statistics {
    std::int64_t subproblems = 0;  // nodes of the search
    std::int64_t depth_two = 0;    // calls of the solver for depth two
    std::int64_t cache_hits = 0;
    std::int64_t cache_entries = 0;
    std::int64_t evictions = 0;
    std::int64_t bounded = 0;  // subproblems that a bound made unnecessary
};

struct Result {
    NodeList nodes;
    double objective = 0.0;  // loss + sparsity x leaves
    double lower_bound = 0.0;
    bool proven = false;
    bool none_below = false;   // it is proven that no tree is below the upper bound
    bool interrupted = false;  // by the user, not by the time limit
    // Nothing is left to search but trees deeper than any search goes, and they may be better.
    bool depth_limit = false;
    std::vector<Moment> history;
    Statistics statistics;
};

}  // namespace ramify::optimal
