// What splits of a node would do, without making them: the sums of their branches, and the branch
// of every row that is held out. Invariant: rows are only counted, so that many splits take the
// time of a few.
#pragma once

#include <cstdint>
#include <vector>

#include "counts/independence.hpp"
#include "edit/divider.hpp"

namespace ramify {

struct Effect {
    // Of every branch, then of the rows that have none: rows, and class weights or moments.
    std::vector<std::int64_t> rows{};
    std::vector<double> sums{};
    // Of every whole row that is held out: its branch, or -1 if it is divided among all.
    std::vector<std::int16_t> held_out{};
    IndependenceTest test{};  // of the column and the target, at the node
};

// Throws std::invalid_argument if a condition has more than 32,767 branches.
std::vector<Effect> effects(const Problem& problem, const HeldOutRows& held_out, Unseen unseen,
                            const KeptRows& grown, const KeptRows& held_out_here,
                            const std::vector<SkeletonNode>& asked, Interrupt& interrupt);

}  // namespace ramify
