// Twoing: p_L p_R / 4 (sum_j |p_jL - p_jR|)^2 (Breiman et al. 1984): up to a factor, the best Gini
// gain over all ways to join the classes into two superclasses. Invariant: it is defined for two
// children.
#pragma once

#include <cmath>

#include "criteria/gini.hpp"
#include "criteria/no_drop.hpp"

namespace ramify {

struct Twoing final : NoDrop<Gini, Costs::ignored> {
    static constexpr std::string_view name = "twoing";

    using NoDrop::NoDrop;

    bool binary_only() const override { return true; }

  protected:
    double evaluate(const Partition& partition, double support) const override {
        const std::size_t classes = partition.classes;
        const double* left = partition.children;
        const double* right = left + classes;
        const double left_weight = weight_of(left, classes);
        const double right_weight = weight_of(right, classes);
        if (left_weight <= 0.0 || right_weight <= 0.0) return 0.0;
        const double weight = weight_of(partition.node, classes);
        double difference = 0.0;
        for (std::size_t j = 0; j < classes; ++j) {
            difference += std::abs(left[j] / left_weight - right[j] / right_weight);
        }
        const double both = left_weight / weight * (right_weight / weight);
        return counted(both * difference * difference / 4.0, partition, support);
    }
};

}  // namespace ramify
