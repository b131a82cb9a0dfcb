// A node of a small subtree, see small_subtree.hpp. Invariant: its entries lie in the same range of
// every column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "node/stats.hpp"

namespace ramify {

inline constexpr std::size_t most_small_rows = 256;

// Where the entries of a node lie in every column.
struct SmallRange {
    std::size_t begin = 0;
    std::size_t size = 0;

    // The entries on one side of a cut.
    SmallRange left(std::size_t position) const { return {begin, position}; }
    SmallRange right(std::size_t position) const { return {begin + position, size - position}; }
};

struct SmallSplit {
    std::size_t column = 0;
    std::size_t position = 0;  // entries on the left
    double gain = 0.0;
    double log_p = std::numeric_limits<double>::quiet_NaN();
};

struct SmallNode {
    NodeStats stats;
    std::vector<double> bounds;  // as those of an OpenNode
    std::int32_t id = 0;         // in the builder
    std::int32_t depth = 0;
    SmallRange range;
    SmallSplit split;
};

}  // namespace ramify
