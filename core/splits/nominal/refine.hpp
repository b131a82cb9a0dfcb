// Local search from a partition: the levels are ordered by the direction in which the score grows
// fastest there and scanned (the fixed points of Chou 1991's iteration), then single levels change
// sides, both while that improves the score.
#pragma once

#include "splits/nominal/side.hpp"

namespace ramify {

// Improves what `best` holds, if anything; at most `rounds` of scans and of passes over the levels.
void refine(const Contingency& table, const Criterion& criterion, Side& side, BestPartition& best,
            std::size_t rounds);

// Exchanges a level on the left with one on the right, and moves single ones, while that improves.
void exchange_pairs(const Contingency& table, Side& side, BestPartition& best);

}  // namespace ramify
