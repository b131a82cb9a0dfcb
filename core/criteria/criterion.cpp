#include "criteria/criterion.hpp"

namespace ramify {

double Criterion::score(const Partition& partition, double support) const {
    constexpr double rounding = 1e-14;
    const double score = evaluate(partition, support);
    const bool nothing =
        score < 0.0 && score >= -rounding * scale(partition.node, partition.classes);
    return nothing ? 0.0 : score;
}

double Criterion::evaluate(const Partition& partition, double support) const {
    const std::size_t classes = partition.classes;
    const double node_weight = weight_of(partition.node, classes);
    const double node_impurity = impurity(partition.node, classes);
    double gain = 0.0;
    for (std::size_t c = 0; c < partition.count; ++c) {
        const double* child = partition.children + c * classes;
        const double weight = weight_of(child, classes);
        if (weight <= 0.0) continue;
        gain += weight / node_weight *
                counted(node_impurity - impurity(child, classes), child, classes, support);
    }
    return gain;
}

}  // namespace ramify
