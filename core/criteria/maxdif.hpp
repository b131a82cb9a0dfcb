// MAXDIF: the mean over the children of max_j (p_j - (1 - p_j)), correct less wrong answers (Berzal
// et al. 2003, section 4.1). Invariant: without missing values and minimum support it is a constant
// minus twice the error rate, so it orders splits as the error rate does.
#pragma once

#include "criteria/misclassification.hpp"
#include "criteria/no_drop.hpp"

namespace ramify {

struct MaxDif final : NoDrop<Misclassification> {
    static constexpr std::string_view name = "maxdif";

    using NoDrop::NoDrop;

    double scale(const double*, std::size_t) const override { return 1.0; }
    double baseline(const double* weights, std::size_t classes) const override {
        return 1.0 - 2.0 * index.impurity(weights, classes);
    }
    bool strictly_concave() const override { return false; }
    bool balances_ties() const override { return true; }
    // It divides by the known weight alone.
    bool discounts_missing() const override { return false; }

  protected:
    double evaluate(const Partition& partition, double support) const override {
        const std::size_t classes = partition.classes;
        const double node_weight = weight_of(partition.node, classes);
        const double undivided = baseline(partition.node, classes);
        double sum = 0.0;
        for (std::size_t c = 0; c < partition.count; ++c) {
            const double* child = partition.children + c * classes;
            const double weight = weight_of(child, classes);
            if (weight <= 0.0) continue;
            const double difference = 2.0 * *std::max_element(child, child + classes) - weight;
            sum += has_support(child, classes, support) ? difference
                                                        : std::min(difference, undivided * weight);
        }
        return sum / node_weight;
    }
};

}  // namespace ramify
