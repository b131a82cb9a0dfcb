// The number that a group of targets predicts by ranks: its median or another quantile. Invariant:
// no other number has a smaller loss by the rule.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "criteria/criterion.hpp"

namespace ramify {

// `pairs`: targets with their weights, at least one. `slack`: cumulated weights nearer than this
// share of the total are equal, because parts of rows are rounded.
inline double quantile_of(std::vector<std::pair<double, double>> pairs, const RankLoss& rule,
                          double slack) {
    double total = 0.0;
    for (const auto& [target, weight] : pairs) total += weight;
    std::sort(pairs.begin(), pairs.end());
    double sum = 0.0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        sum += pairs[i].second;
        const double beyond = sum - rule.quantile * total;
        if (beyond > slack * total || i + 1 == pairs.size()) return pairs[i].first;
        if (beyond < -slack * total) continue;
        return rule.middle ? (pairs[i].first + pairs[i + 1].first) / 2 : pairs[i].first;
    }
    return 0.0;
}

}  // namespace ramify
