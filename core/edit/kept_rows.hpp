// The rows of a node of a tree that is edited. Invariant: rows ascend; a row is either whole or
// divided, and a divided row has a part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ramify {

struct KeptRows {
    std::vector<std::uint32_t> whole{};
    std::vector<std::uint32_t> divided{};  // missing values divide them among several branches
    std::vector<double> part{};            // of every divided row

    std::size_t size() const { return whole.size() + divided.size(); }
};
using SharedRows = std::shared_ptr<const KeptRows>;

// The rows of a leaf: those it was grown on, in parts as growth divides them; the same rows as they
// walk when the tree predicts; and rows that the tree has not seen. The first two are the same
// object if no row is divided.
struct LeafRows {
    SharedRows grown{}, walked{}, held_out{};
};

// The rows of several leaves together, out of `total` rows. Parts of a row are added up.
SharedRows merged(const std::vector<SharedRows>& leaves, std::size_t total);

}  // namespace ramify
