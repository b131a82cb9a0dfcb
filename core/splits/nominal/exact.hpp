// The true optimum: by order for two classes, otherwise by enumeration of all partitions in
// Gray-code order, one level changing sides at a time.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct Exact final : NominalSearch {
    static constexpr std::size_t most_levels = 20;  // half a million partitions
    std::optional<NominalSplit> split(const Contingency& table,
                                      const Criterion& criterion) const override;
};

}  // namespace ramify
