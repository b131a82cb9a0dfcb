#include "grow/grow.hpp"

#include <algorithm>

namespace ramify {

Tree grow(const Problem& problem, Interrupt& interrupt) {
    // Rows get weights, too, where missing values spread them: from there on, see divide_impl.hpp.
    const bool weighted = std::any_of(problem.weights.begin(), problem.weights.end(),
                                      [](double weight) { return weight != 1.0; });
    return problem.classes > 0 ? grow_classification(problem, weighted, interrupt)
                               : grow_regression(problem, weighted, interrupt);
}

}  // namespace ramify
