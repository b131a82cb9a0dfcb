// The best split of a node by one column, by a plain scan of sums; for the last level of a tree.
// Invariant: of equally good thresholds the lowest is taken.
#pragma once

#include "optimal/continuous/outcome.hpp"
#include "optimal/continuous/subset.hpp"

namespace ramify::optimal::continuous {

// The rows on one side of a threshold; without a threshold, all rows.
template <class T>
struct Side {
    const T* rank = nullptr;
    std::int32_t threshold = 0;
    bool left = true;
    bool operator()(std::size_t row) const {
        return rank == nullptr || (rank[row] <= threshold) == left;
    }
};

struct Found {
    double loss = kInfinity;
    std::int32_t code = -1;  // of the problem
};

template <class T>
Found scan(const Data& data, const Subset<T>& subset, std::size_t slot, const Side<T>& side);

// The code of the problem that belongs to a threshold of a slot.
template <class T>
std::int32_t code_of(const Data& data, const Subset<T>& subset, std::size_t slot,
                     std::size_t position) {
    const auto column = static_cast<std::size_t>(subset.columns[slot]);
    const auto local = static_cast<std::size_t>(subset.order(slot)[position]);
    const auto row = static_cast<std::size_t>(subset.row[local]);
    return data.values[column][static_cast<std::size_t>(data.codes[column][row])];
}

// The optimal tree of at most one split.
template <class T>
Outcome depth_one(const Data& data, const Subset<T>& subset);

}  // namespace ramify::optimal::continuous
