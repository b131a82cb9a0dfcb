// Entropy in bits (Quinlan 1986). Invariant: the score is the information gain.
#pragma once

#include <algorithm>
#include <cmath>

#include "criteria/criterion.hpp"

namespace ramify {

// The entropy of the sizes of the children (Quinlan's split information).
inline double split_information(const Partition& partition) {
    const std::size_t classes = partition.classes;
    const double total = weight_of(partition.children, partition.count * classes);
    double sum = 0.0;
    for (std::size_t c = 0; c < partition.count; ++c) {
        const double share = weight_of(partition.children + c * classes, classes) / total;
        // A child that has all rows must add exactly zero: rounding would be divided by.
        if (share > 0.0 && share < 1.0) sum -= share * std::log2(share);
    }
    return sum;
}

struct Entropy final : Criterion {
    static constexpr std::string_view name = "entropy";

    explicit Entropy(const CriterionOptions&) {}

    double impurity(const double* weights, std::size_t classes) const override {
        double total = 0.0;
        for (std::size_t j = 0; j < classes; ++j) total += weights[j];
        double sum = 0.0;
        for (std::size_t j = 0; j < classes; ++j) {
            const double share = weights[j] / total;  // zero if the weight is denormal
            if (share > 0.0) sum -= weights[j] * std::log2(share);
        }
        return total > 0.0 ? sum / total : 0.0;
    }
    WalkKind walk_kind() const override {
        return min_support <= 0.0 ? WalkKind::entropy : WalkKind::any;
    }
};

}  // namespace ramify
