// Walks: the left side of a threshold grows entry by entry and always knows whether it is the best
// so far. Invariant: after add() of the entries of a prefix, better() compares that prefix with the
// best accepted one. Two candidates tie if their gains differ by less than `tie_tolerance` times
// the impurity of the node; then the earlier one stays, or in a walk that has a balance() the one
// that is better balanced.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "criteria/criterion.hpp"
#include "targets/samples.hpp"

namespace ramify {

template <typename W, typename Word>
concept ThresholdWalk = requires(W walk, Word entry, const double* sums, double support) {
    walk.add(entry);
    walk.add_block(sums, support);
    { walk.better() } -> std::convertible_to<bool>;
    walk.accept();
    { walk.gain() } -> std::convertible_to<double>;
};

// A walk that tells the sums of its left side.
template <typename W>
concept TellingWalk = requires(const W walk, std::size_t place) {
    { walk.left_weight() } -> std::convertible_to<double>;
    { walk.left_sum(place) } -> std::convertible_to<double>;
};

// A walk that can skip a whole block of entries if no cut inside it beats the best so far.
template <typename W, typename Word>
concept SkippingWalk = requires(W walk, const Word* entries, std::size_t size) {
    { walk.block_size() } -> std::convertible_to<std::size_t>;
    { walk.skip(entries, size) } -> std::convertible_to<bool>;
};

// A walk that reads memory of its own for every entry.
template <typename W, typename Word>
concept PrefetchingWalk = requires(const W walk, Word entry) { walk.prefetch(entry); };

struct CutLimits;  // limits.hpp

// What a walk starts from: the sums of all its rows.
struct WalkTotal {
    const double* sums;
    double weight;
    double support;
    double scale;
    double min_leaf;
    // Cuts that gain no more than this are useless, because another column has a better one. Walks
    // that can skip blocks of entries start from it.
    double floor = -std::numeric_limits<double>::infinity();
    // Class weights of rows that are on no side: a cut divides them in proportion to the others.
    // Then `sums` and `weight` include these rows, and `support` does not.
    const double* divided = nullptr;
    const CutLimits* limits = nullptr;  // cuts that they rule out are no candidates
};

}  // namespace ramify
