// C4.5's error-based pruning (Quinlan 1993, chapter 4), as Weka's J48 does it. First, subtrees that
// make no fewer errors on the training rows than a leaf become leaves. Then, bottom-up, a subtree
// is replaced by a leaf or by its heaviest branch if that raises the expected errors by at most
// 0.1. Invariant: the expected errors of a leaf are at the upper limit of a confidence interval.
#pragma once

#include <span>

#include "problem/problem.hpp"
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
// A raised branch takes the rows of its parent. Its class weights and proportions are those of the
// new rows, and a multiway split gets a branch for every new level. Gains and competitors stay as
// grown.
Tree error_based(const Problem& problem, const Tree& tree, const ErrorBasedOptions& options,
                 Interrupt& interrupt);

}  // namespace ramify
