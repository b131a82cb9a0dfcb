// Copies levels and competitors of a node from one tree to another. Invariant: the order within a
// node stays.
#pragma once

#include "tree/tree.hpp"

namespace ramify {

inline void append(LevelLists& to, const LevelLists& from, std::size_t at) {
    const auto begin = static_cast<std::size_t>(from.start[at]);
    const auto end = static_cast<std::size_t>(from.start[at + 1]);
    for (std::size_t i = begin; i < end; ++i) {
        to.code.push_back(from.code[i]);
        to.branch.push_back(from.branch[i]);
    }
    to.start.push_back(static_cast<std::int64_t>(to.code.size()));
}

// The competitors of a node that stays internal.
inline void append_competitors(TreeArrays& to, const TreeArrays& from, std::size_t node) {
    const auto begin = static_cast<std::size_t>(from.competitor_start[node]);
    const auto end = static_cast<std::size_t>(from.competitor_start[node + 1]);
    for (std::size_t i = begin; i < end; ++i) {
        to.competitor_attribute.push_back(from.competitor_attribute[i]);
        to.competitor_missing_to.push_back(from.competitor_missing_to[i]);
        to.competitor_kind.push_back(from.competitor_kind[i]);
        to.competitor_threshold.push_back(from.competitor_threshold[i]);
        to.competitor_gain.push_back(from.competitor_gain[i]);
        to.competitor_log_p.push_back(from.competitor_log_p[i]);
        append(to.competitor_levels, from.competitor_levels, i);
    }
}

}  // namespace ramify
