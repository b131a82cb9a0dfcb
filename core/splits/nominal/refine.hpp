// Local search from a partition. The levels are ordered by the gradient of the score and scanned
// (the fixed points of the iteration of Chou 1991). Then single levels change sides. Invariant:
// each step improves the score.
#pragma once

#include "splits/nominal/side.hpp"

namespace ramify {

// Improves what `best` holds, if anything, by at most `rounds` scans and as many passes over the
// levels.
void refine(const Contingency& table, const Criterion& criterion, Side& side, BestPartition& best,
            std::size_t rounds);

// Exchanges a level on the left with one on the right, and moves single levels, while that improves
// the score.
void exchange_pairs(const Contingency& table, Side& side, BestPartition& best);

}  // namespace ramify
