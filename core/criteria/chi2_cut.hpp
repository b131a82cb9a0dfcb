// Chi-square cut: the sum of w_ij / (n - 1) over levels i left and j right, w_ij the chi-square of
// the two levels alone (Pereira 2018, section 3.2.2). Invariant: the two sides of a threshold count
// as two levels, so a threshold scores their chi-square.
#pragma once

#include "criteria/chi2.hpp"
#include "criteria/no_drop.hpp"

namespace ramify {

struct ChiSquareCut final : NoDrop<ChiSquare> {
    static constexpr std::string_view name = "chi2_cut";

    using NoDrop::NoDrop;

    double scale(const double* weights, std::size_t classes) const override {
        return index.scale(weights, classes);
    }
    bool counts_rows() const override { return index.counts_rows(); }
    bool discounts_missing() const override { return index.discounts_missing(); }
    bool concave() const override { return false; }
    bool binary_only() const override { return true; }
    bool sums_suffice() const override { return false; }

  protected:
    double evaluate(const Partition& partition, double support) const override {
        return index.score(partition, support);
    }
};

}  // namespace ramify
