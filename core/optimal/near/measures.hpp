// What can be asked of a set of near-best trees beyond their number: how much a column matters at
// least and at most, how far the answers can be from given ones, and how the trees answer each row.
// Invariant: all of it holds for every tree of the set, and none is listed.
#pragma once

#include <span>

#include "optimal/near/view.hpp"

namespace ramify::optimal::near {

// The share of the impurity of all rows that the splits by a column remove.
class Importance final : public Measure {
  public:
    Importance(const NearGraph& graph, std::int32_t column) : graph_(graph), column_(column) {}
    double of_split(std::int32_t node, const Option& option) const override;
    double of_leaf(std::int32_t) const override { return 0.0; }

  private:
    const NearGraph& graph_;
    std::int32_t column_;
};

// The weight of the rows that are answered otherwise than given; of numbers, the sum of the squared
// differences.
class Distance final : public Measure {
  public:
    Distance(const NearView& view, const NearGraph& graph, std::span<const std::int32_t> labels,
             std::span<const double> numbers);
    double of_split(std::int32_t, const Option&) const override { return 0.0; }
    double of_leaf(std::int32_t node) const override {
        return of_node_[static_cast<std::size_t>(node)];
    }

  private:
    std::vector<double> of_node_;
};

// For each row the share of the trees that give each answer, rows x classes; of numbers the mean
// answer and the mean of its square, rows x 2.
std::vector<double> answers(const NearView& view, const NearGraph& graph);

}  // namespace ramify::optimal::near
