// Squared Gini: G(S) - p_L^2 G(L) - p_R^2 G(R) = 2 sum_{x != y} L_x R_y / N^2, the weight of a cut
// in the graph of levels (Pereira 2018, lemma 9). Mixing costs weigh the pairs of classes.
// Invariant: a mixture has no direction, so only the mean of c(x, y) and c(y, x) counts.
#pragma once

#include "criteria/gini.hpp"
#include "criteria/no_drop.hpp"

namespace ramify {

struct SquaredGini final : NoDrop<Gini> {
    static constexpr std::string_view name = "squared_gini";

    using NoDrop::NoDrop;

    bool strictly_concave() const override { return false; }
    bool concave() const override { return false; }
    bool binary_only() const override { return true; }
    bool takes_costs() const override { return true; }

  protected:
    double evaluate(const Partition& partition, double support) const override {
        const std::size_t classes = partition.classes;
        const double* left = partition.children;
        const double* right = left + classes;
        const double weight = weight_of(partition.node, classes);
        double sum = 0.0;
        if (index.costs.empty()) {
            sum = 2.0 * weight_of(left, classes) * weight_of(right, classes);
            for (std::size_t j = 0; j < classes; ++j) sum -= 2.0 * left[j] * right[j];
        } else {
            for (std::size_t x = 0; x < classes; ++x) {
                for (std::size_t y = 0; y < classes; ++y) {
                    sum += index.costs[x * classes + y] * (left[x] * right[y] + right[x] * left[y]);
                }
            }
        }
        return counted(sum / (weight * weight), partition, support);
    }
};

}  // namespace ramify
