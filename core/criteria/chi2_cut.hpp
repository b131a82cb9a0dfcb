// Chi-square cut: the sum of w_ij / (n - 1) over levels i left and j right, w_ij the chi-square of
// the two levels alone (Pereira 2018, section 3.2.2). Two children are two levels: a threshold
// scores the chi-square of its sides.
#pragma once

#include "criteria/chi2.hpp"

namespace ramify {

struct ChiSquareCut final : Criterion {
    explicit ChiSquareCut(const CriterionOptions& options) : chi_square(options) {}

    double impurity(const double* weights, std::size_t classes) const override {
        return chi_square.impurity(weights, classes);
    }
    double scale(const double* weights, std::size_t classes) const override {
        return chi_square.scale(weights, classes);
    }
    bool drop_of_impurity() const override { return false; }
    bool concave() const override { return false; }
    bool binary_only() const override { return true; }
    bool sums_suffice() const override { return false; }

    ChiSquare chi_square;

  protected:
    double evaluate(const Partition& partition) const override {
        return chi_square.score(partition);
    }
};

}  // namespace ramify
