// What evaluation needs to know of a node, prepared before its columns are evaluated. Invariant: it
// belongs to one node at a time and keeps its memory for the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "node/open_node.hpp"

namespace ramify {

// Where a column is searched part by part: on which side of a cut rows without a value are tried.
enum class MissingSide : std::uint8_t { left, right, apart, any };
inline constexpr std::size_t sides_of_missing = 4;

struct WeightedRow {
    std::uint32_t source;  // of the table
    std::uint32_t label;
    double weight, support;
};

// With weights: the rows of a node in the form that counting reads, and the cells of its coded
// columns. The node itself holds the cells if it keeps them.
struct CountedRows {
    std::vector<WeightedRow> rows;
    std::vector<const std::uint16_t*> codes;  // of the columns that are counted
    std::vector<double*> to;
    std::vector<double> passing;
    double* cells = nullptr;
};

template <typename Word>
struct NodeView {
    const OpenNode<Word>* node = nullptr;
    // A criterion by ranks: the targets of the node in ascending order, and its loss.
    std::vector<double> sorted_targets;
    double loss = 0.0;
    // Marks the places of means that stand for several targets: none may be a quantile. Empty: all
    // targets are there.
    std::vector<std::uint8_t> vague;
    MissingSide missing_side = MissingSide::any;
    CountedRows counted;
    // Splits that gain no more than this need not be found.
    double floor = 0.0;

    void start(const OpenNode<Word>* of) {
        node = of;
        vague.clear();
        missing_side = MissingSide::any;
        floor = -std::numeric_limits<double>::infinity();
    }
};

}  // namespace ramify
