// Squared error: the reduction of variance. It reads moments (sum w, sum wy, sum wy^2) in place of
// class weights. Invariant: a node of equal targets has the impurity 0.
#pragma once

#include "criteria/criterion.hpp"

namespace ramify {

// Variance of the node minus the weighted variance of the children.
inline double variance_reduction(const double* node, const double* children, std::size_t count) {
    const double mean = node[1] / node[0];
    double gain = 0.0;
    for (std::size_t c = 0; c < count; ++c) {
        const double* child = children + 3 * c;
        if (child[0] <= 0.0) continue;
        const double shift = child[1] / child[0] - mean;
        gain += child[0] / node[0] * shift * shift;
    }
    return gain;
}

struct SquaredError final : Criterion {
    static constexpr std::string_view name = "squared_error";
    explicit SquaredError(const NumberOptions& = {}) {}

    double impurity(const double* moments, std::size_t) const override {
        const double mean = moments[1] / moments[0];
        return std::max(0.0, moments[2] / moments[0] - mean * mean);
    }
    WalkKind walk_kind() const override { return WalkKind::squared_error; }
    bool quadratic() const override { return true; }
    bool centred() const override { return true; }

  protected:
    double evaluate(const Partition& partition, double) const override {
        return variance_reduction(partition.node, partition.children, partition.count);
    }
};

}  // namespace ramify
