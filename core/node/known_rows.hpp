// The rows of a node whose value of an attribute is known, and the rows that lack it. Invariant:
// `sums` are those of the known rows; they and `rest`, the sums of the others, add up to the node.
#pragma once

#include <vector>

#include "node/segment.hpp"

namespace ramify {

template <typename Word>
struct KnownRows {
    Segment<Word> segment;         // if the column is in order
    const double* sums = nullptr;  // of the node, or `own`
    double weight = 0.0;
    double support = 0.0;
    bool missing = false;  // some rows lack the value
    double least = 0.0;    // the support of these rows that a branch must have
    std::vector<double> own;
    // Of the rows without a value; in a sparse column, those of the value that is not stored.
    std::vector<double> rest;
};

}  // namespace ramify
