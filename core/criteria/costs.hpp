// Costs of answers: classes x answers, row = true class. The answers are the classes, in their
// order, and maybe one more, to abstain. Any finite number is allowed: a gain is a negative cost.
// Invariant: adding a constant to the costs of one true class changes no answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace ramify {

// The number of answers; without costs, that of the classes.
inline std::size_t answers_of(std::size_t classes, std::span<const double> costs) {
    return costs.empty() ? classes : costs.size() / classes;
}

inline bool costs_fit(std::size_t classes, std::span<const double> costs) {
    return costs.empty() || costs.size() == classes * classes ||
           costs.size() == classes * (classes + 1);
}

// What an answer costs above the cheapest answer for the same class. Never negative.
inline std::vector<double> regrets(std::size_t classes, std::span<const double> costs) {
    std::vector<double> above(costs.begin(), costs.end());
    const std::size_t answers = answers_of(classes, costs);
    for (std::size_t x = 0; x < classes && !costs.empty(); ++x) {
        double* row = above.data() + x * answers;
        const double least = *std::min_element(row, row + answers);
        for (std::size_t a = 0; a < answers; ++a) row[a] -= least;
    }
    return above;
}

// Classes x classes: the cost of giving a row of class x the answer that is best for class y. Zero
// on the diagonal and never negative. Costs that have this form already stay as they are. Of
// several answers that are best for a class, the class itself comes first.
inline std::vector<double> mixing_costs(std::size_t classes, std::span<const double> costs) {
    if (costs.empty()) return {};
    const std::size_t answers = answers_of(classes, costs);
    const std::vector<double> above = regrets(classes, costs);
    std::vector<double> mixed(classes * classes);
    for (std::size_t y = 0; y < classes; ++y) {
        const double* row = above.data() + y * answers;
        const std::size_t best =
            row[y] > 0.0 ? static_cast<std::size_t>(std::find(row, row + answers, 0.0) - row) : y;
        for (std::size_t x = 0; x < classes; ++x)
            mixed[x * classes + y] = above[x * answers + best];
    }
    return mixed;
}

}  // namespace ramify
