// A contingency table: how much weight of each class falls on each level of an attribute. It is all
// that a search for a partition of the levels knows of a node. Invariant: every level has rows, and
// `weight` and `total` are the sums of `counts`.
#pragma once

#include <cstddef>

#include "support/interrupt.hpp"

namespace ramify {

// Levels x classes, one row per level present at the node, ascending by code.
struct Contingency {
    std::size_t levels = 0;
    std::size_t classes = 0;
    const double* counts = nullptr;   // levels x classes
    const double* support = nullptr;  // rows per level
    const double* weight = nullptr;   // per level: its sum over the classes
    const double* total = nullptr;    // classes
    double min_leaf = 1.0;
    Interrupt* interrupt = nullptr;  // polled by searches that may take long
    bool balanced = false;  // of partitions that tie, the best balanced is taken; or the first
};

}  // namespace ramify
