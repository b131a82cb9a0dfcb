// Memory that one tree was grown in, for the next one of the same problem. Given back to the system
// and asked for again, it would cost a tenth of the growth, and threads would wait for each other.
// Invariant: nothing of the earlier tree is read.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "support/large_memory.hpp"
#include "tree/tree.hpp"

namespace ramify {

struct GrowMemory {
    std::vector<RawVector<std::uint32_t>> columns;  // of entries
    TreeArrays nodes;

    RawVector<std::uint32_t> take_column(std::size_t c) {
        if (c >= columns.size()) return {};
        return std::move(columns[c]);
    }
};

}  // namespace ramify
