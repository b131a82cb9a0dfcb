#include "splits/nominal/means.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splits/nominal/exact.hpp"

namespace ramify {

FoundSplit split_by_means(std::size_t levels, const double* moments, const double* support,
                          double min_leaf) {
    std::vector<double> mean(levels);
    double total[3] = {0.0, 0.0, 0.0};
    double total_support = 0.0;
    for (std::size_t i = 0; i < levels; ++i) {
        mean[i] = moments[3 * i + 1] / moments[3 * i];
        for (std::size_t m = 0; m < 3; ++m) total[m] += moments[3 * i + m];
        total_support += support[i];
    }
    const double centre = total[1] / total[0];
    const double variance = std::max(0.0, total[2] / total[0] - centre * centre);
    const std::vector<std::size_t> order = order_by_key(mean, centre, std::sqrt(variance));
    NominalSplit best;
    best.score = -1.0;
    double most = -1.0;  // of any cut, even with too few rows on a side
    std::size_t cut = 0;
    double weight = 0.0;
    double sum = 0.0;
    double rows = 0.0;
    for (std::size_t i = 0; i + 1 < levels; ++i) {
        weight += moments[3 * order[i]];
        sum += moments[3 * order[i] + 1] - centre * moments[3 * order[i]];
        rows += support[order[i]];
        const double gain = sum * sum / (weight * (total[0] - weight));
        most = std::max(most, gain);
        if (rows < min_leaf - 1e-9 || total_support - rows < min_leaf - 1e-9) continue;
        ++best.work;
        if (gain > best.score + (cut == 0 ? 0.0 : tie_tolerance * variance)) {
            best.score = gain;
            cut = i + 1;
        }
    }
    if (cut == 0) return std::nullopt;
    best.proven = best.score >= most - tie_tolerance * variance;
    best.right.assign(levels, 1);
    for (std::size_t i = 0; i < cut; ++i) best.right[order[i]] = 0;
    if (best.right[0] != 0) {
        for (auto& side : best.right) side = side == 0;
    }
    return best;
}

FoundSplit split_means_exactly(std::size_t levels, const double* moments, const double* support,
                               double min_leaf, Interrupt& interrupt) {
    auto in_order = split_by_means(levels, moments, support, min_leaf);
    if (levels < 3 || (in_order && in_order->proven)) return in_order;
    std::vector<double> weight(levels);
    std::vector<double> mean(levels);
    for (std::size_t i = 0; i < levels; ++i) {
        weight[i] = moments[3 * i];
        mean[i] = moments[3 * i + 1] / weight[i];
    }
    const auto [low, high] = std::minmax_element(mean.begin(), mean.end());
    const double start = *low;
    const double range = *high - start;
    std::vector<double> counts(2 * levels);
    double total[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < levels; ++i) {
        const double share = range > 0.0 ? (mean[i] - start) / range : 0.0;
        counts[2 * i] = weight[i] * (1.0 - share);
        counts[2 * i + 1] = weight[i] * share;
        for (std::size_t j = 0; j < 2; ++j) total[j] += counts[2 * i + j];
    }
    const auto gini = make_criterion("gini", {});
    auto found = Exact({}).split(
        {levels, 2, counts.data(), support, weight.data(), total, min_leaf, &interrupt}, *gini);
    if (!found) return in_order;
    found->score *= range * range / 2.0;
    // If both are best up to rounding, the cut in the order of the means is taken.
    if (in_order && in_order->score >= found->score * (1.0 - tie_tolerance)) {
        in_order->proven = found->proven;
        return in_order;
    }
    return found;
}

}  // namespace ramify
