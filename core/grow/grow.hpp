// The entrance to growth: picks the policy that fits the problem. Invariant: whichever policy grows
// a tree, the tree is the same.
#pragma once

#include <memory>

#include "grow/problem.hpp"
#include "grow/stepwise.hpp"

namespace ramify {

// Whether the rows of a problem weigh differently from the root on.
bool has_weights(const Problem& problem);

Tree grow_classification(const Problem& problem, bool weighted, Interrupt& interrupt);
Tree grow_regression(const Problem& problem, bool weighted, Interrupt& interrupt);
std::unique_ptr<Stepwise> start_classification(const Problem& problem, bool weighted,
                                               Interrupt& interrupt);
std::unique_ptr<Stepwise> start_regression(const Problem& problem, bool weighted,
                                           Interrupt& interrupt);

}  // namespace ramify
