// What splits of a node would do, without making them: the sums of their branches, and the branch
// of every row that is held out. Invariant: rows are only counted, so that many splits take the time
// of a few.
#pragma once

#include <cstdint>
#include <vector>

#include "edit/divider.hpp"

namespace ramify {

struct Effect {
    // Of every branch, then of the rows that have none: rows, and class weights or moments.
    std::vector<std::int64_t> rows{};
    std::vector<double> sums{};
    // Of every whole row that is held out: its branch, or -1 if it is divided among all.
    std::vector<std::int8_t> held_out{};
};

// Conditions of more than 127 branches are refused.
std::vector<Effect> effects(const Problem& problem, const HeldOutRows& held_out, Unseen unseen,
                            const KeptRows& grown, const KeptRows& held_out_here,
                            const std::vector<SkeletonNode>& asked, Interrupt& interrupt);

}  // namespace ramify
