#include "grow/grow.hpp"

#include <algorithm>

namespace ramify {

Tree grow(const Problem& problem, Interrupt& interrupt) {
    // Rows that missing values spread carry fractions of weight.
    bool weighted = std::any_of(problem.weights.begin(), problem.weights.end(),
                                [](double weight) { return weight != 1.0; });
    for (std::size_t c = 0; c < problem.table.size() && !weighted; ++c) {
        weighted = problem.parameters.missing == Missing::fractional &&
                   problem.table[c].order.size() < problem.table.rows();
    }
    return problem.classes > 0 ? grow_classification(problem, weighted, interrupt)
                               : grow_regression(problem, weighted, interrupt);
}

}  // namespace ramify
