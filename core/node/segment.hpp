// A column at a node, as entries in the order of their values, and a cut of it.
// Invariant: a cut lies only between two distinct values that are both present at the node.
#pragma once

#include <cstddef>

namespace ramify {

// The entries of a column at a node. The most frequent value of a column (the "mode") may have no
// entries. Then its rows are the rows of the node without an entry, and its place is between the
// first `below` entries and the others.
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
