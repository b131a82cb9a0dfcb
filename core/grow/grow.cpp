#include "grow/grow.hpp"

#include <algorithm>

namespace ramify {

// Missing values that spread rows give them weights later, see divide_impl.hpp.
bool has_weights(const Problem& problem) {
    return !problem.fractions.empty() || std::any_of(problem.weights.begin(), problem.weights.end(),
                                                     [](double weight) { return weight != 1.0; });
}

Tree grow(const Problem& problem, Interrupt& interrupt) {
    return problem.classes > 0 ? grow_classification(problem, has_weights(problem), interrupt)
                               : grow_regression(problem, has_weights(problem), interrupt);
}

std::unique_ptr<Stepwise> grow_stepwise(const Problem& problem, Interrupt& interrupt) {
    return problem.classes > 0 ? start_classification(problem, has_weights(problem), interrupt)
                               : start_regression(problem, has_weights(problem), interrupt);
}

}  // namespace ramify
