// A tree cut back: some of its internal nodes become leaves, and all below them goes.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

// `retired[node]` is not 0 for the nodes that become leaves. Nodes and expansions keep their order
// and are numbered anew; the keys of those that stay are taken from `keys`, if there are any.
Tree cut(const Tree& tree, const std::vector<std::uint8_t>& retired,
         const std::vector<double>& keys = {});

}  // namespace ramify
