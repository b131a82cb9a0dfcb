// Gain ratio: information gain divided by the entropy of the partition itself, so that many small
// children do not pay (Quinlan 1993). Which attributes may compete is settled in select/.
#pragma once

#include "criteria/entropy.hpp"

namespace ramify {

struct GainRatio final : Criterion {
    explicit GainRatio(const CriterionOptions& options) : entropy(options) {
        entropy.min_support = options.min_support;
    }

    double impurity(const double* weights, std::size_t classes) const override {
        return entropy.impurity(weights, classes);
    }
    double scale(const double*, std::size_t) const override { return 1.0; }
    bool drop_of_impurity() const override { return false; }
    bool concave() const override { return false; }
    bool by_information() const override { return true; }
    const Criterion& of_thresholds() const override { return entropy; }

    Entropy entropy;

  protected:
    double evaluate(const Partition& partition) const override {
        const double gain = entropy.score(partition);
        const double information = split_information(partition);
        return information > 0.0 ? gain / information : 0.0;
    }
};

}  // namespace ramify
