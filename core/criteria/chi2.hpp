// Pearson's chi-square of children by classes. Invariant: the score counts rows, so that twice the
// rows give twice the score.
#pragma once

#include "criteria/gini.hpp"
#include "criteria/no_drop.hpp"

namespace ramify {

struct ChiSquare final : NoDrop<Gini, Costs::ignored> {
    static constexpr std::string_view name = "chi2";

    using NoDrop::NoDrop;

    double scale(const double* weights, std::size_t classes) const override {
        return weight_of(weights, classes);
    }
    bool counts_rows() const override { return true; }
    // The statistic already counts the known rows only.
    bool discounts_missing() const override { return false; }

  protected:
    double evaluate(const Partition& partition, double support) const override {
        const std::size_t classes = partition.classes;
        const double node_weight = weight_of(partition.node, classes);
        double sum = 0.0;
        for (std::size_t c = 0; c < partition.count; ++c) {
            const double* child = partition.children + c * classes;
            const double weight = weight_of(child, classes);
            // A child never adds less than nothing.
            if (weight <= 0.0 || !has_support(child, classes, support)) continue;
            for (std::size_t j = 0; j < classes; ++j) {
                const double expected = weight * partition.node[j] / node_weight;
                if (expected <= 0.0) continue;
                sum += (child[j] - expected) * (child[j] - expected) / expected;
            }
        }
        return sum;
    }
};

}  // namespace ramify
