// C4.5's error-based pruning (Quinlan 1993, chapter 4), as Weka's J48 does it: first subtrees that
// do not make fewer errors on the training rows than a leaf go; then, bottom-up, a subtree gives
// way to a leaf or to its heaviest branch if the errors to be expected there, at the upper limit of
// a confidence interval, are not larger by more than 0.1.
#pragma once

#include <span>

#include "grow/problem.hpp"
#include "support/interrupt.hpp"
#include "tree/tree.hpp"

namespace ramify {

struct ErrorBasedOptions {
    double confidence = 0.25;  // above 0, at most 0.5
    bool raising = true;       // whether a branch may take the place of its parent
    // True class by answer, not negative; may be empty. With costs, the errors of a leaf are the
    // cost of its answer, in units of the largest cost: a wrong answer that costs half of it counts
    // as half an error.
    std::span<const double> costs{};
    Unseen unseen = Unseen::missing;
};

// `tree` is a classification tree grown on the rows of the problem. Weights count as repeated rows.
// A raised branch takes the rows of its parent: class weights and proportions are those of its new
// rows, a multiway split gets a branch for every level that is new to it; gains and competitors
// remain those of the growth.
Tree error_based(const Problem& problem, const Tree& tree, const ErrorBasedOptions& options,
                 Interrupt& interrupt);

}  // namespace ramify
