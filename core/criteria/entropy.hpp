// Entropy in bits; the score is the information gain (Quinlan 1986).
#pragma once

#include <algorithm>
#include <cmath>

#include "criteria/criterion.hpp"

namespace ramify {

// The entropy of the sizes of the children (Quinlan's split information).
inline double split_information(const Partition& partition) {
    double total = 0.0;
    double sum = 0.0;
    for (std::size_t c = 0; c < partition.count; ++c) {
        const double weight =
            weight_of(partition.children + c * partition.classes, partition.classes);
        total += weight;
        if (weight > 0.0) sum += weight * std::log2(weight);
    }
    return total > 0.0 ? std::max(0.0, std::log2(total) - sum / total) : 0.0;
}

struct Entropy final : Criterion {
    explicit Entropy(const CriterionOptions&) {}

    double impurity(const double* weights, std::size_t classes) const override {
        double total = 0.0;
        for (std::size_t j = 0; j < classes; ++j) total += weights[j];
        double sum = 0.0;
        for (std::size_t j = 0; j < classes; ++j) {
            const double share = weights[j] / total;  // of a denormal weight it may be zero
            if (share > 0.0) sum -= weights[j] * std::log2(share);
        }
        return total > 0.0 ? sum / total : 0.0;
    }
    Walk walk() const override { return min_support <= 0.0 ? Walk::entropy : Walk::any; }
};

}  // namespace ramify
