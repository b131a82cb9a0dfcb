// A first tree: the best split by impurity at every node, the last two levels optimal.
// Invariant: keeps the limits; no worse than the greedy tree with the same first splits.
#pragma once

#include "optimal/continuous/search.hpp"

namespace ramify::optimal {

template <class T>
NodeList greedy_tree(const Data& data, Search<T>& search, const Subset<T>& subset, int depth,
                     std::int64_t leaves, bool entropy);

}  // namespace ramify::optimal
