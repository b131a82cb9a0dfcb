// All partitions of the levels in two, in Gray-code order: one level changes sides at a time.
// Invariant: the first level never moves, and each of the 2^(n-1) - 1 partitions is tried once.
#pragma once

#include "splits/nominal/search.hpp"
#include "splits/nominal/side.hpp"

namespace ramify {

// Tells whether the limit of `best` sufficed for all of them.
bool enumerate(const Contingency& table, Side& side, BestPartition& best);

}  // namespace ramify
