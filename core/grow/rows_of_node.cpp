#include "grow/rows_of_node.hpp"

#include <algorithm>

namespace ramify {

MeanAndVariance mean_and_variance(const NodeRows& rows) {
    const auto [low, high] = std::minmax_element(rows.target.begin(), rows.target.end());
    if (*low == *high) return {*low, 0.0};
    const auto weight_of = [&](std::size_t i) {
        return rows.weight.empty() ? 1.0 : rows.weight[i];
    };
    double weight = 0.0;
    double above = 0.0;
    for (std::size_t i = 0; i < rows.target.size(); ++i) {
        weight += weight_of(i);
        above += weight_of(i) * (rows.target[i] - *low);
    }
    const double mean = std::clamp(*low + above / weight, *low, *high);
    double squares = 0.0;
    double rest = 0.0;  // what rounding has left out of the mean
    for (std::size_t i = 0; i < rows.target.size(); ++i) {
        const double off = rows.target[i] - mean;
        squares += weight_of(i) * off * off;
        rest += weight_of(i) * off;
    }
    return {mean, std::max(0.0, (squares - rest * rest / weight) / weight)};
}

}  // namespace ramify
