// The target of a search as Python gives it: labels or numbers, weights, costs. Invariant: the
// arrays outlive the views of them.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "optimal/features/tree_of_splits.hpp"
#include "python/arrays.hpp"

namespace ramify::python {

// What is minimised where the target is a number, by name.
inline optimal::NumberObjective number_objective(const std::string& loss, double quantile) {
    return {choose<optimal::NumberMeasure>("loss", loss), quantile};
}

struct SearchTarget {
    SearchTarget(std::optional<Array1<std::int32_t>> given_labels, std::size_t n_classes,
                 std::optional<Array1<double>> given_target,
                 std::optional<Array1<double>> given_weights,
                 std::optional<Array1<double>> given_costs,
                 std::optional<Array1<double>> given_regrets = {},
                 const optimal::NumberObjective& objective = {})
        : labels(std::move(given_labels)),
          target(std::move(given_target)),
          weights(std::move(given_weights)),
          costs(std::move(given_costs)),
          regrets(std::move(given_regrets)) {
        if (labels.has_value() + target.has_value() + regrets.has_value() != 1)
            throw std::invalid_argument("either labels, target or regrets must be given");
        view_of.task = target ? Task::regression : Task::classification;
        view_of.classes = n_classes;
        if (labels) view_of.labels = view(*labels);
        if (target) view_of.target = view(*target);
        view_of.objective = objective;
        if (weights) view_of.weights = view(*weights);
        if (costs) view_of.costs = view(*costs);
    }
    SearchTarget(const SearchTarget&) = delete;

    std::size_t rows() const {
        if (regrets) return regrets->shape(0) / std::max<std::size_t>(1, view_of.classes);
        return labels ? labels->shape(0) : target->shape(0);
    }

    optimal::OptimalProblem problem() const {
        optimal::OptimalProblem problem;
        problem.task = view_of.task;
        problem.rows = rows();
        problem.classes = view_of.classes;
        problem.labels = view_of.labels;
        problem.target = view_of.target;
        problem.objective = view_of.objective;
        problem.weights = view_of.weights;
        if (regrets) problem.regrets = view(*regrets);
        problem.costs.assign(view_of.costs.begin(), view_of.costs.end());
        return problem;
    }

    std::optional<Array1<std::int32_t>> labels;
    std::optional<Array1<double>> target, weights, costs, regrets;
    optimal::NodeTarget view_of;
};

}  // namespace ramify::python
