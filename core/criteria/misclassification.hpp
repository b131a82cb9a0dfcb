// Error rate of the majority class: 1 - max p, the generalized Gini of Berzal et al. (section 3.5).
// It is useful in pruning and poor in growing. Invariant: it is flat wherever a split does not
// change the majority (Viktor, section 2.3).
#pragma once

#include <algorithm>

#include "criteria/criterion.hpp"

namespace ramify {

struct Misclassification final : Criterion {
    static constexpr std::string_view name = "misclassification";
    static constexpr std::string_view name_of_berzal = "generalized_gini";

    explicit Misclassification(const CriterionOptions&) {}

    double impurity(const double* weights, std::size_t classes) const override {
        double total = 0.0;
        for (std::size_t j = 0; j < classes; ++j) total += weights[j];
        if (total <= 0.0) return 0.0;
        return (total - *std::max_element(weights, weights + classes)) / total;
    }
    bool strictly_concave() const override { return false; }
    bool balances_ties() const override { return true; }
};

}  // namespace ramify
