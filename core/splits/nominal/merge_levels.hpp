// Levels that do not differ are merged, by the tests of CHAID (Kass 1980): the two groups that
// differ least become one, until all that are left differ. The number of groups is not given.
// Invariant: the groups of an ordered attribute are ranges, but for a level that floats; groups are
// numbered by their lowest level; ties go to the lowest pair. Of levels without an order that are
// too many to compare, those with the fewest rows are one from the beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "node/parameters.hpp"
#include "support/interrupt.hpp"

namespace ramify {

struct LevelsToMerge {
    std::size_t levels = 0;  // all of them have weight
    std::size_t width = 0;
    const double* sums = nullptr;     // levels x width, as log_p_of_groups() takes them
    const double* support = nullptr;  // null: the weights, which `sums` hold
    bool ordered = false;
    bool floats = false;    // ordered: the last level has no place in the order (missing values)
    double min_rows = 0.0;  // smaller groups are merged with the most similar one
    Interrupt* interrupt = nullptr;
};

struct MergedLevels {
    std::vector<std::int32_t> group_of_level;
    std::size_t groups = 0;
    double log_p = 0.0;     // of the test of all groups
    double log_ways = 0.0;  // of Bonferroni's factor: the groupings to choose from
};

MergedLevels merge_levels(const LevelsToMerge& table, const MergeOptions& options);

// The logarithm of the number of ways to make `groups` groups of `levels` levels (Kass 1980).
double log_ways_to_merge(std::size_t levels, std::size_t groups, bool ordered, bool floats);

// The logarithm of the largest number of pairs that merging down to two groups compares (Biggs, de
// Ville and Suen 1991).
double log_pairs_compared(std::size_t levels, bool ordered, bool floats);

}  // namespace ramify
