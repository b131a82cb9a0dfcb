// Tables of one thread, reused from node to node so that growing allocates almost nothing.
// Invariant: nothing in them is kept from one column to the next.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "node/known_rows.hpp"
#include "node/level_table.hpp"
#include "select/by_chance.hpp"
#include "splits/walks/choose.hpp"

namespace ramify {

template <typename Word>
struct Workspace {
    KnownRows<Word> known;
    LevelTable levels;
    std::vector<double> branches;  // the sums of the branches of a split, one after the other
    std::vector<double> one;       // the sums of one branch or value
    std::vector<double> target_sums;
    WalkBuffers walk;
    // The weights and sums of classes, levels or codes that a test reads.
    std::vector<double> test_weights, test_sums;
    std::vector<std::uint32_t> present;
    std::vector<std::uint32_t> histogram;
    std::vector<double> weighted_cells;
    std::vector<ChanceClaim> claims;     // beyond chance: of all columns
    std::vector<double> losses;          // by ranks: of the left side of every cut
    std::vector<Word> spare, reordered;  // entries

    // The cells of one coded column.
    template <typename Cell>
    std::vector<Cell>& cells() {
        if constexpr (std::is_same_v<Cell, double>) {
            return weighted_cells;
        } else {
            return histogram;
        }
    }
};

}  // namespace ramify
