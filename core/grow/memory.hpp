// Memory that one tree was grown in, kept for the next tree of the same problem. Returning it to
// the system and asking for it again would cost a tenth of the growth, and threads would wait for
// each other. Invariant: nothing of the earlier tree is read.
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
