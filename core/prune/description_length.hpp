// MDL pruning (Quinlan and Rivest 1989; Mehta, Rissanen and Agrawal 1995): whoever knows the
// columns is told the target of the training rows by a tree, and then by a code for what is left in
// its leaves. Invariant: the bits of a node depend on its rows alone, so that deciding bottom-up
// gives the shortest description of all trees that the grown one can be cut back to.
#pragma once

#include <cstdint>
#include <vector>

#include "grow/problem.hpp"
#include "support/interrupt.hpp"
#include "tree/tree.hpp"

namespace ramify {

// What the target in a leaf is coded by. Of classes: the exact code of Krichevsky and Trofimov, or
// the formula that Mehta et al. print. Of numbers: normal, or Laplace's for absolute errors.
enum class LeafCode : std::uint8_t { exact, mehta, normal, laplace };
template <>
inline constexpr auto names_of<LeafCode> = list_names("exact", "mehta", "normal", "laplace");

struct DescriptionOptions {
    LeafCode code = LeafCode::exact;
    // Of numbers: the difference from which on they are told apart, and that of the extremes.
    double precision = 1.0;
    double range = 1.0;
    Unseen unseen = Unseen::missing;
};

// In bits, per node.
struct DescriptionLengths {
    std::vector<double> as_leaf;   // of the target of the node's rows, by one distribution
    std::vector<double> question;  // of the attribute and the question about it; 0 at leaves
};

// `tree` was grown on the rows of the problem. Weights count as repeated rows. Throws
// std::invalid_argument if the code is not one of classes, or of numbers.
DescriptionLengths description_lengths(const Problem& problem, const Tree& tree,
                                       const DescriptionOptions& options, Interrupt& interrupt);

// Marks the nodes that are leaves in the shortest description, the smallest of equals. A bit of the
// tree, one of which says at every node whether it is a leaf, counts `structure` times.
std::vector<std::uint8_t> retired_by_length(const Tree& tree, const DescriptionLengths& lengths,
                                            double structure);

}  // namespace ramify
