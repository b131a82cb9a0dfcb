// MDL pruning (Quinlan and Rivest 1989; Mehta, Rissanen and Agrawal 1995): the target of the
// training rows is told to somebody who knows the columns, first by a tree, then by a code for the
// rows of each leaf. Invariant: the bits of a node depend on its rows alone, so that deciding
// bottom-up gives the shortest description of all trees that the grown one can be cut back to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/problem.hpp"
#include "support/interrupt.hpp"
#include "tree/tree.hpp"

namespace ramify {

// The code of the target in a leaf. For classes: the exact code of Krichevsky and Trofimov, or the
// formula that Mehta et al. print. For numbers: the normal distribution, or that of Laplace for
// absolute errors.
enum class LeafCode : std::uint8_t { exact, mehta, normal, laplace };
template <>
inline constexpr auto names_of<LeafCode> = list_names("exact", "mehta", "normal", "laplace");

struct DescriptionOptions {
    LeafCode code = LeafCode::exact;
    // For numbers: the least difference that counts, and the difference of the extremes.
    double precision = 1.0;
    double range = 1.0;
};

// In bits, per node.
struct DescriptionLengths {
    std::vector<double> as_leaf;   // of the target of the node's rows, by one distribution
    std::vector<double> question;  // of the attribute and the question about it; 0 at leaves
};

// What the questions are chosen from.
struct NodeValues {
    explicit NodeValues(std::size_t nodes) : distinct(nodes, 0), holes(nodes, 0) {}
    // Per internal node, of the column that it asks about: the number of distinct values among its
    // rows, and whether one is missing.
    std::vector<std::int64_t> distinct;
    std::vector<std::uint8_t> holes;
    std::size_t varying = 0;  // columns that tell some of all rows apart; a hole counts as a value
};

// `tree` was grown on the rows of the problem.
NodeValues count_values(const Problem& problem, const Tree& tree, Unseen unseen,
                        Interrupt& interrupt);
// The same for the nodes from `top` on, from the rows of this node. `fractions`: the parts of the
// rows that came to it; empty: all of each row.
void count_values_below(const Problem& problem, const Tree& tree, std::int32_t top,
                        std::span<const double> fractions, Unseen unseen, NodeValues& values,
                        Interrupt& interrupt);

// Weights count as repeated rows. Of the problem, only the columns and the parameters are read.
// Throws std::invalid_argument if the code does not fit the target.
DescriptionLengths description_lengths(const Problem& problem, const Tree& tree,
                                       const DescriptionOptions& options, const NodeValues& values);

// Marks the nodes that are leaves in the shortest description; of equally short ones, in the
// smallest tree. The bits of the tree count `structure` times; one of them says at every node
// whether it is a leaf.
std::vector<std::uint8_t> retired_by_length(const Tree& tree, const DescriptionLengths& lengths,
                                            double structure);

}  // namespace ramify
