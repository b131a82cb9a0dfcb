// Turns the splits that a search found into a tree, with the training rows in its nodes.
// Invariant: the conditions divide the rows exactly as the splits do; they are read off the rows on
// the two sides. A threshold lies halfway between neighbouring values at its node. A missing value
// has a side only if the node has seen missing values. Conditions that are laid down stay as they
// are, and no pruning undoes them.
#pragma once

#include <span>

#include "optimal/features/feature_set.hpp"
#include "optimal/features/fixed_condition.hpp"
#include "optimal/number_loss.hpp"
#include "table/table.hpp"
#include "tree/tree.hpp"

namespace ramify::optimal {

// The target of the rows, as a tree counts it. `costs` are those above the cheapest answer.
struct NodeTarget {
    Task task = Task::classification;
    std::span<const std::int32_t> labels;
    std::size_t classes = 0;
    std::span<const double> costs;
    std::span<const double> target;
    NumberObjective objective;        // of numbers: what a leaf predicts, and its loss
    std::span<const double> weights;  // empty: all 1
};

Tree tree_of_splits(const NodeList& splits, const FeatureSet& features, const Table& table,
                    const NodeTarget& target, std::span<const FixedCondition> fixed = {});

}  // namespace ramify::optimal
