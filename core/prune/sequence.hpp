// The nested trees that retirement keys define. Invariant: thresholds ascend; tree i has as leaves
// the nodes with a key of at most threshold i whose parents have a larger one; the last tree is the
// root alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "prune/retirement.hpp"
#include "tree/tree.hpp"

namespace ramify {

struct Sequence {
    std::vector<double> thresholds;
    std::vector<std::int64_t> leaves;
    std::vector<double> risk;  // on the training rows
};

// For every node: the first tree of the sequence in which it is no longer split.
std::vector<std::uint32_t> retires_at(const Tree& tree, const std::vector<double>& keys,
                                      std::span<const double> thresholds);

// `risk` is that of every node as a leaf.
Sequence sequence_of(const Tree& tree, const Retirement& retirement,
                     const std::vector<double>& keys, const std::vector<double>& risk);

// The thresholds at which the trees of folds are like those of this sequence: geometric midpoints
// of its intervals (Breiman et al. 1984, section 3.4), or the same thresholds if keys count
// something.
std::vector<double> thresholds_of_folds(const Sequence& sequence, const Retirement& retirement);

// A tree with its keys and the sequence that they define.
struct KeyedSequence {
    std::vector<double> keys;  // one per node
    Sequence sequence;
    std::vector<double> thresholds_of_folds;
};

// The sequence by the keys of that name. Throws std::invalid_argument if the costs do not fit the
// tree.
KeyedSequence pruning_sequence(const Tree& tree, std::string_view keys,
                               const RetirementOptions& options);

// The tree of the sequence at a threshold; its nodes keep their keys.
Tree cut_at(const Tree& tree, std::span<const double> keys, double threshold);

}  // namespace ramify
