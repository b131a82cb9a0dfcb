// What the branches of a split hold, from the counts of its column. Invariant: the branches and the
// rows that are divided among them add up to the node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "node/built_condition.hpp"
#include "stream/counted_column.hpp"

namespace ramify {

struct BranchTotals {
    std::vector<SlotTotals> known;  // of the rows with a value
    const std::int64_t* holes = nullptr;
};

inline BranchTotals branch_totals(const CountedColumn& column, const BuiltCondition& condition,
                                  std::size_t branches, bool numeric, std::size_t width) {
    BranchTotals totals{std::vector<SlotTotals>(branches), column.holes};
    for (SlotTotals& branch : totals.known) branch.channels.assign(width, 0);
    std::vector<std::int32_t> branch_of_level;
    for (const auto& [code, branch] : condition.levels) {
        const auto level = static_cast<std::size_t>(code);
        branch_of_level.resize(std::max(branch_of_level.size(), level + 1), -1);
        branch_of_level[level] = branch;
    }
    const auto branch_of = [&](const CountedValue& value) -> std::size_t {
        if (condition.kind != ConditionKind::threshold)
            return static_cast<std::size_t>(branch_of_level[static_cast<std::size_t>(value.code)]);
        const double number = numeric ? value.value : static_cast<double>(value.code);
        // A cell that was not opened lies above its lower edge.
        return (value.exact ? number <= condition.threshold : number < condition.threshold) ? 0 : 1;
    };
    for (const CountedValue& value : column.values) {
        std::int64_t* to = totals.known[branch_of(value)].channels.data();
        for (std::size_t j = 0; j < width; ++j) to[j] += value.channels[j];
    }
    return totals;
}

}  // namespace ramify
