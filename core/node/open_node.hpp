// A node that may still be split: where its rows lie in every column, and its best split.
// Invariant: the entries of column c lie at block->columns[c][begin .. begin + size), in value
// order; segments of different open nodes never overlap, so that different threads can grow their
// subtrees.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "node/candidate.hpp"
#include "node/plan.hpp"
#include "node/stats.hpp"
#include "support/large_memory.hpp"

namespace ramify {

template <typename Word>
struct Block {
    std::vector<RawVector<Word>> columns;
};

struct Range {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t below = 0;  // entries below the hidden mode
    bool coded = false;       // no entries yet: the node is still large enough to count codes
    bool constant = false;    // one value only, here and in every descendant
};

template <typename Word>
struct OpenNode {
    std::int32_t id = 0;  // in the builder
    std::int32_t depth = 0;
    std::uint32_t first = 0;  // if samples are renumbered, its samples are first, first + 1, ...
    std::shared_ptr<Block<Word>> block;
    std::vector<Range> ranges;
    NodeStats stats;
    // Lowest and highest value below it, for each constrained value; see evaluate/constraints.hpp.
    std::vector<double> bounds;
    // Rows per code and class of every coded column, one column after the other; empty if the node
    // is too small to keep them.
    RawVector<std::uint32_t> counts;
    RawVector<double> parts;   // the same where rows are divided: the sums of their parts
    std::int32_t column = -1;  // of the best split
    double log_p = 0.0;        // of the test that selected it
    Candidate best;
    NodePlan plan;
};

}  // namespace ramify
