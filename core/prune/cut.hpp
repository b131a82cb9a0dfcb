// Cuts a tree back: some internal nodes become leaves, and everything below them goes. Invariant:
// the nodes that stay keep their order, values and conditions.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

// `retired[node]` is not 0 for the nodes that become leaves. Nodes and expansions keep their order
// and are renumbered. The nodes that stay internal take their keys from `keys`, if given.
Tree cut(const Tree& tree, const std::vector<std::uint8_t>& retired,
         const std::vector<double>& keys = {});

}  // namespace ramify
