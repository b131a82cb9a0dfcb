// All partitions of the levels in two, in Gray-code order: one level changes sides at a time, the
// first never does. Invariant: 2^(n-1) - 1 partitions, each once.
#pragma once

#include "splits/nominal/search.hpp"
#include "splits/nominal/side.hpp"

namespace ramify {

// Whether the limit of `best` sufficed for all of them.
bool enumerate(const Contingency& table, Side& side, BestPartition& best);

// For a criterion that adds up pairs of levels on different sides: its own score of two levels is
// the weight of the pair, and a partition scores the cut weight / (n - 1) (Pereira 2018, section
// 3.2.2).
void enumerate_cuts(const Contingency& table, const Criterion& criterion, BestPartition& best);

}  // namespace ramify
