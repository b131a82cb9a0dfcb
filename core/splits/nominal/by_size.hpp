// Two classes, rows that count as one each, and a minimum of rows that rules partitions out: then
// no order of the levels is sure to hold the best cut. But of all partitions with so many rows on
// the left, a convex score is largest for the one with the most, or the least, of the second class
// there; and the least on the left is the most on the right. So the most for every size suffices: a
// knapsack, solved level by level. Invariant: what it finds is proven.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

// Steps that search_by_size would take; infinite where rows do not count as one each.
double steps_by_size(const Contingency& table);

void search_by_size(const Contingency& table, BestPartition& best);

}  // namespace ramify
