#include "prune/risk.hpp"

namespace ramify {

std::vector<double> node_risk(const Tree& tree, Risk kind, std::span<const double> costs) {
    const TreeArrays& a = tree.arrays();
    const std::size_t classes = tree.width();
    const std::size_t answers = answers_of(classes, costs);
    const double total = a.weight[0];
    std::vector<double> risk(tree.size(), 0.0);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        // The impurity of a regression node is its mean error.
        if (kind == Risk::impurity || tree.task() == Task::regression) {
            risk[i] = a.impurity[i] * (a.weight[i] / total);
            continue;
        }
        const double* value = a.value.data() + i * classes;
        if (kind == Risk::brier) {
            double squares = 0.0;
            for (std::size_t j = 0; j < classes; ++j)
                squares += tree.share(i, j) * tree.share(i, j);
            risk[i] = (1.0 - squares) / static_cast<double>(classes) * (a.weight[i] / total);
            continue;
        }
        const std::size_t label = tree.label(i, costs);
        double sum = 0.0;
        for (std::size_t j = 0; j < classes; ++j) {
            const double cost =
                costs.empty() ? (j == label ? 0.0 : 1.0) : costs[j * answers + label];
            sum += cost * value[j];
        }
        risk[i] = sum / total;
    }
    return risk;
}

}  // namespace ramify
