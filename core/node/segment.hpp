// A column at a node, as entries in the order of their values, and a cut of it.
// Invariant: a cut lies only between two distinct values that are both present at the node.
#pragma once

#include <cstddef>

namespace ramify {

// A column at a node. Where the column's most frequent value is not stored ("mode"), its rows are
// the node's rows that have no entry, and it stands between the entries `below` it and the others.
template <typename Word>
struct Segment {
    const Word* entries = nullptr;
    std::size_t size = 0;
    std::size_t below = 0;
    bool has_mode = false;
    const double* mode_sums = nullptr;
    double mode_support = 0.0;
};

// Entries [0, position) are left of the cut; so is the mode, if there is one and mode_left.
struct Boundary {
    std::size_t position = 0;
    bool mode_left = false;
};

}  // namespace ramify
