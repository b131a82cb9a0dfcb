#include "optimal/problem.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ramify::optimal {

void OptimalProblem::add_column(std::span<const std::int32_t> codes) {
    const std::string name = "column " + std::to_string(columns.size());
    if (codes.size() != rows) throw std::invalid_argument(name + ": wrong length");
    SearchColumn column{codes, {}, 0};
    for (const std::int32_t code : codes) {
        if (code < 0 || code == std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument(name + ": not a code");
        column.values = std::max(column.values, code + 1);
    }
    columns.push_back(column);
}

void OptimalProblem::add_start(std::span<const std::int32_t> node) {
    if (node.size() != 4) throw std::invalid_argument("start: four numbers a node");
    start.push_back({node[0], node[1], node[2], node[3]});
}

void OptimalProblem::check() const {
    if (std::any_of(weights.begin(), weights.end(), [](double w) { return !(w > 0.0); }))
        throw std::invalid_argument("weights must be positive");
    const bool counts = objective.measure == NumberMeasure::poisson;
    if ((counts || objective.measure == NumberMeasure::gamma) &&
        std::any_of(target.begin(), target.end(),
                    [&](double y) { return !(counts ? y >= 0.0 : y > 0.0); })) {
        throw std::invalid_argument("target: a deviance is not defined for it");
    }
    if (!(objective.quantile > 0.0 && objective.quantile < 1.0))
        throw std::invalid_argument("quantile must lie between 0 and 1");
    const auto outside = [&](std::int32_t label) {
        return label < 0 || static_cast<std::size_t>(label) >= classes;
    };
    if (!regrets.empty() && (task != Task::classification || !labels.empty() || !costs.empty() ||
                             regrets.size() != rows * classes ||
                             std::any_of(regrets.begin(), regrets.end(),
                                         [](double regret) { return !(regret >= 0.0); }))) {
        throw std::invalid_argument("regrets do not fit, or are negative");
    }
    if ((!weights.empty() && weights.size() != rows) ||
        (!costs.empty() && costs.size() != classes * classes) ||
        std::any_of(labels.begin(), labels.end(), outside)) {
        throw std::invalid_argument("labels, weights and costs do not fit");
    }
    const auto size = static_cast<std::int32_t>(start.size());
    for (std::int32_t at = 0; at < size; ++at) {
        const Node& node = start[static_cast<std::size_t>(at)];
        const auto below = [&](std::int32_t child) { return child > at && child < size; };
        if (node.column >= static_cast<std::int32_t>(columns.size()) ||
            (node.column >= 0 && !(below(node.left) && below(node.right)))) {
            throw std::invalid_argument("start: not a tree");
        }
    }
}

}  // namespace ramify::optimal
