// What the splits of a tree would gain if their attributes told nothing. The gain of a column by
// chance depends only on the rows, values and classes of the node (the margins of its contingency
// table). So every split is searched again at its own node, with the targets shuffled among the
// rows. Invariant: the gains depend on problem, tree and seed, never on threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/problem.hpp"

namespace ramify {

struct ChanceOptions {
    std::size_t searches = 10;  // at every node; large trees need fewer, see the .cpp
    std::uint64_t seed = 0;
    // The factor of every class in the weights of the problem. It is shuffled with the class.
    // Empty: none.
    std::span<const double> class_weights{};
    Unseen unseen = Unseen::missing;
};

// One gain per node, 0 at leaves. A split that was chosen by its gain has beaten the second best of
// its node. So where chance alone can beat that, only gains that do so count.
std::vector<double> chance_gains(const Problem& problem, const Tree& tree,
                                 const ChanceOptions& options, Interrupt& interrupt);

}  // namespace ramify
