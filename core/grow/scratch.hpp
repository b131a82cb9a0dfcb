// Buffers of one thread, reused from node to node so that growing allocates almost nothing.
// Invariant: nothing in them is kept from one column to the next.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "splits/absolute_error.hpp"

namespace ramify {

template <typename Word>
struct Scratch {
    // The cells of one coded column.
    template <typename Cell>
    std::vector<Cell>& cells() {
        if constexpr (std::is_same_v<Cell, double>) {
            return weighted_cells;
        } else {
            return histogram;
        }
    }

    std::vector<std::int64_t> counts;
    std::vector<double> sums, known, rest, children, left_loss;
    std::vector<double> level_sums, level_support, level_weight;
    std::vector<std::int32_t> level_codes;
    std::vector<std::uint32_t> histogram, present;
    std::vector<double> weighted_cells;
    std::vector<double> target_sums;
    std::vector<double> test_weights, test_sums;  // of classes or levels
    std::vector<Word> spare, reordered;
};

}  // namespace ramify
