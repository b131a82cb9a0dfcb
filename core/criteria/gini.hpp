// Gini index: 1 - sum p^2; with costs, the generalised index sum_{x,y} cost(x, y) p_x p_y (Breiman
// et al. 1984). Invariant: a pure node has the index 0.
#pragma once

#include "criteria/criterion.hpp"

namespace ramify {

struct Gini final : Criterion {
    static constexpr std::string_view name = "gini";

    explicit Gini(const CriterionOptions& options) : costs(options.costs) {}

    double impurity(const double* weights, std::size_t classes) const override {
        double total = 0.0;
        for (std::size_t j = 0; j < classes; ++j) total += weights[j];
        if (total <= 0.0) return 0.0;
        double sum = 0.0;
        if (costs.empty()) {
            for (std::size_t j = 0; j < classes; ++j) sum += weights[j] * (total - weights[j]);
        } else {
            for (std::size_t x = 0; x < classes; ++x) {
                for (std::size_t y = 0; y < classes; ++y) {
                    sum += costs[x * classes + y] * weights[x] * weights[y];
                }
            }
        }
        return sum / (total * total);
    }
    bool takes_costs() const override { return true; }
    WalkKind walk_kind() const override {
        return costs.empty() && min_support <= 0.0 ? WalkKind::gini : WalkKind::any;
    }
    // A cost of zero between two classes makes them one class to the index: it is concave, not
    // strictly so.
    bool strictly_concave() const override { return costs.empty(); }
    // Costs of three classes can make the index neither concave nor convex.
    bool separable(std::size_t classes) const override {
        return concave() && (costs.empty() || classes <= 2);
    }

    std::vector<double> costs;
};

}  // namespace ramify
