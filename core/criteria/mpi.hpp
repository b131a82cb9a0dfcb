// Mean posterior improvement: prod_c (N_c / N) (1 - sum_j prod_c p_jc / p_j): it favours classes
// that fall wholly to one side, and children of similar size (Taylor and Silverman 1993).
// Invariant: the impurity of a node is its Gini index.
#pragma once

#include "criteria/gini.hpp"
#include "criteria/no_drop.hpp"

namespace ramify {

struct MeanPosteriorImprovement final : NoDrop<Gini, Costs::ignored> {
    static constexpr std::string_view name = "mpi";

    using NoDrop::NoDrop;

  protected:
    double evaluate(const Partition& partition, double support) const override {
        const std::size_t classes = partition.classes;
        const double node_weight = weight_of(partition.node, classes);
        double sizes = 1.0;
        for (std::size_t c = 0; c < partition.count; ++c) {
            sizes *= weight_of(partition.children + c * classes, classes) / node_weight;
        }
        if (sizes <= 0.0) return 0.0;
        double together = 0.0;
        for (std::size_t j = 0; j < classes; ++j) {
            if (partition.node[j] <= 0.0) continue;
            double product = 1.0;
            for (std::size_t c = 0; c < partition.count; ++c) {
                const double* child = partition.children + c * classes;
                product *= child[j] / weight_of(child, classes);
            }
            together += product * node_weight / partition.node[j];
        }
        return counted(sizes * (1.0 - together), partition, support);
    }
};

}  // namespace ramify
