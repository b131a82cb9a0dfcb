// The loss of held-out rows in every tree of a sequence, from one walk per row: on its way down, a
// row passes its leaves in all the trees. Invariant: the losses are those of prediction by each of
// the cut trees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "prune/loss.hpp"
#include "support/interrupt.hpp"
#include "table/table.hpp"
#include "tree/tree.hpp"

namespace ramify {

// Sums over rows, one per tree of the sequence.
struct Losses {
    explicit Losses(std::size_t trees = 0) : sum(trees, 0.0), square(trees, 0.0) {}
    std::vector<double> sum;     // of loss times weight
    std::vector<double> square;  // of squared loss times weight
    double weight = 0.0;
    double weight_square = 0.0;
    std::int64_t expansions = 0;  // of the tree that was cut back
};

struct HeldOut {
    std::vector<PredictColumn> columns;
    std::span<const std::uint32_t> rows;
    std::span<const double> weights;  // empty: all 1
    Unseen unseen = Unseen::missing;
};

// The columns of an encoded table in the form that prediction reads.
std::vector<PredictColumn> predict_columns(const Table& table);

Losses held_out_losses(const Tree& tree, const std::vector<double>& keys,
                       std::span<const double> thresholds, const Judge& judge,
                       const HeldOut& held_out, Interrupt& interrupt);

}  // namespace ramify
