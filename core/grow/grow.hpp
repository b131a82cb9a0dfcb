// The way into growth: picks the policy that fits the problem.
#pragma once

#include "grow/problem.hpp"

namespace ramify {

Tree grow_classification(const Problem& problem, bool weighted, Interrupt& interrupt);
Tree grow_regression(const Problem& problem, bool weighted, Interrupt& interrupt);

}  // namespace ramify
