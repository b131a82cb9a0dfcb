#include "criteria/criterion.hpp"

#include <algorithm>

namespace ramify {

double Criterion::score(const Partition& partition) const {
    const std::size_t classes = partition.classes;
    double node_weight = 0.0;
    for (std::size_t j = 0; j < classes; ++j) node_weight += partition.node[j];
    const double node_impurity = impurity(partition.node, classes);
    double gain = 0.0;
    for (std::size_t c = 0; c < partition.count; ++c) {
        const double* child = partition.children + c * classes;
        double weight = 0.0;
        for (std::size_t j = 0; j < classes; ++j) weight += child[j];
        if (weight <= 0.0) continue;
        if (min_support > 0.0 && *std::max_element(child, child + classes) < min_support) continue;
        gain += weight / node_weight * (node_impurity - impurity(child, classes));
    }
    return gain;
}

}  // namespace ramify
