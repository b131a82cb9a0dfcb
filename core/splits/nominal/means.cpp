#include "splits/nominal/means.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splits/walks/walk.hpp"

namespace ramify {

double variance_reduction(const double* node, const double* children, std::size_t count) {
    const double mean = node[1] / node[0];
    double gain = 0.0;
    for (std::size_t c = 0; c < count; ++c) {
        const double* child = children + 3 * c;
        if (child[0] <= 0.0) continue;
        const double shift = child[1] / child[0] - mean;
        gain += child[0] / node[0] * shift * shift;
    }
    return gain;
}

std::optional<NominalSplit> split_by_means(std::size_t levels, const double* moments,
                                           const double* support, double min_leaf) {
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
    best.proven = min_leaf <= 1.0;
    std::size_t cut = 0;
    double weight = 0.0;
    double sum = 0.0;
    double rows = 0.0;
    for (std::size_t i = 0; i + 1 < levels; ++i) {
        weight += moments[3 * order[i]];
        sum += moments[3 * order[i] + 1] - centre * moments[3 * order[i]];
        rows += support[order[i]];
        if (rows < min_leaf - 1e-9 || total_support - rows < min_leaf - 1e-9) continue;
        const double gain = sum * sum / (weight * (total[0] - weight));
        ++best.work;
        if (gain > best.score + (cut == 0 ? 0.0 : tie_tolerance * variance)) {
            best.score = gain;
            cut = i + 1;
        }
    }
    if (cut == 0) return std::nullopt;
    best.right.assign(levels, 1);
    for (std::size_t i = 0; i < cut; ++i) best.right[order[i]] = 0;
    if (best.right[0] != 0) {
        for (auto& side : best.right) side = side == 0;
    }
    return best;
}

}  // namespace ramify
