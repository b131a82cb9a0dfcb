#include "criteria/criterion.hpp"

#include <algorithm>

namespace ramify {

double Criterion::score(const Partition& partition) const {
    if (min_support <= 0.0) return evaluate(partition);
    const std::size_t classes = partition.classes;
    std::vector<double> children(partition.children,
                                 partition.children + partition.count * classes);
    for (std::size_t c = 0; c < partition.count; ++c) {
        double* child = children.data() + c * classes;
        // Parts of rows are rounded.
        if (*std::max_element(child, child + classes) < min_support * (1.0 - 1e-9)) {
            std::fill(child, child + classes, 0.0);
        }
    }
    return evaluate({partition.node, children.data(), partition.count, classes});
}

double Criterion::evaluate(const Partition& partition) const {
    const std::size_t classes = partition.classes;
    const double node_weight = weight_of(partition.node, classes);
    const double node_impurity = impurity(partition.node, classes);
    double gain = 0.0;
    for (std::size_t c = 0; c < partition.count; ++c) {
        const double* child = partition.children + c * classes;
        const double weight = weight_of(child, classes);
        if (weight <= 0.0) continue;
        gain += weight / node_weight * (node_impurity - impurity(child, classes));
    }
    return gain;
}

}  // namespace ramify
