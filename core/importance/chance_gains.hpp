// What the splits of a tree would gain if their attributes said nothing. How much a column gains by
// chance depends on the rows, values and classes of a node alone, the margins of its contingency
// table; so every split is searched for again at its own node, on targets that are shuffled among
// the rows there. Invariant: the gains follow from problem, tree and seed, never from threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grow/problem.hpp"

namespace ramify {

struct ChanceOptions {
    std::size_t searches = 10;  // at every node; large trees need fewer, see the .cpp
    std::uint64_t seed = 0;
    // Factors in the weights of the problem that belong to the class and are shuffled with it;
    // empty: none.
    std::span<const double> class_weights{};
    Unseen unseen = Unseen::missing;
};

// One gain per node, 0 at leaves. What was chosen for its gain beat the second best of its node:
// where chance alone may have done so, only gains that do so count.
std::vector<double> chance_gains(const Problem& problem, const Tree& tree,
                                 const ChanceOptions& options, Interrupt& interrupt);

}  // namespace ramify
