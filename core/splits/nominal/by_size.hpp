// The best partition for two classes, rows of equal weight, and a minimum of rows per side. The
// minimum may rule out the best cut of any order of the levels. But of all partitions with a given
// number of rows on the left, a convex score is largest for the one with the most, or the least, of
// the second class there. The least on the left is the most on the right. So the most for every
// number of rows suffices: a knapsack, solved level by level. Invariant: what it finds is proven.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

// Steps that search_by_size would take; infinite if rows do not weigh the same.
double steps_by_size(const Contingency& table);

void search_by_size(const Contingency& table, BestPartition& best);

}  // namespace ramify
