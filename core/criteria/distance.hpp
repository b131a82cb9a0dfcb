// Distance of Lopez de Mantaras (1991): information gain divided by the joint entropy of child and
// class; one minus it is a metric on partitions (Berzal et al., section 3.4).
#pragma once

#include "criteria/entropy.hpp"

namespace ramify {

struct Distance final : Criterion {
    explicit Distance(const CriterionOptions& options) : entropy(options) {}

    double impurity(const double* weights, std::size_t classes) const override {
        return entropy.impurity(weights, classes);
    }
    double scale(const double*, std::size_t) const override { return 1.0; }
    bool drop_of_impurity() const override { return false; }
    bool concave() const override { return false; }

    Entropy entropy;

  protected:
    double evaluate(const Partition& partition) const override {
        const double joint =
            entropy.impurity(partition.children, partition.count * partition.classes);
        return joint > 0.0 ? entropy.score(partition) / joint : 0.0;
    }
};

}  // namespace ramify
