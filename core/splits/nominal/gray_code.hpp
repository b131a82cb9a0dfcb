// All partitions of the levels in two, in Gray-code order: one level changes sides at a time, the
// first never does. Invariant: 2^(n-1) - 1 partitions, each once.
#pragma once

#include "splits/nominal/search.hpp"
#include "splits/nominal/side.hpp"

namespace ramify {

// Whether the limit of `best` sufficed for all of them.
bool enumerate(const Contingency& table, Side& side, BestPartition& best);

}  // namespace ramify
