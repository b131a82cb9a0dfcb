#include "splits/maxcut/pair_weights.hpp"

#include <algorithm>
#include <numeric>

namespace ramify {

std::vector<double> pair_weights(const Contingency& table, const Criterion& criterion) {
    const std::size_t n = table.levels;
    const std::size_t k = table.classes;
    const bool counts_rows = criterion.counts_rows();
    const double total = weight_of(table.total, k);
    std::vector<double> weights(n * n, 0.0);
    std::vector<double> children(2 * k);
    std::vector<double> node(k);
    for (std::size_t i = 0; i < n; ++i) {
        if (table.interrupt != nullptr) table.interrupt->poll();
        const double* first = table.counts + i * k;
        std::copy(first, first + k, children.begin());
        for (std::size_t j = i + 1; j < n; ++j) {
            const double* second = table.counts + j * k;
            std::copy(second, second + k, children.begin() + static_cast<std::ptrdiff_t>(k));
            for (std::size_t x = 0; x < k; ++x) node[x] = first[x] + second[x];
            double benefit = criterion.score({node.data(), children.data(), 2, k}, 0.0) -
                             criterion.baseline(node.data(), k);
            if (!counts_rows) benefit *= weight_of(node.data(), k) / total;
            if (!(benefit > 0.0)) continue;  // rounding, or not a number
            weights[i * n + j] = benefit;
            weights[j * n + i] = benefit;
        }
    }
    return weights;
}

double pair_score(const Contingency& table, const Criterion& criterion,
                  const std::vector<double>& weights, const std::vector<CutSide>& sides) {
    const std::size_t n = table.levels;
    const std::size_t k = table.classes;
    std::vector<double> sums(2 * k, 0.0);
    std::vector<double> weight(n);
    for (std::size_t i = 0; i < n; ++i) {
        weight[i] = weight_of(table.counts + i * k, k);
        for (std::size_t x = 0; x < k; ++x) sums[sides[i] * k + x] += table.counts[i * k + x];
    }
    bool counts[2];
    for (std::size_t side = 0; side < 2; ++side) {
        const double* of_side = sums.data() + side * k;
        counts[side] = has_support(of_side, k, criterion.min_support);
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        if (sides[i] != 0) continue;
        for (std::size_t j = 0; j < n; ++j) {
            if (sides[j] != 1) continue;
            // Both rows deviate by the same amount, and chi-square divides by what each row
            // expects.
            const double share_of_first = weight[j] / (weight[i] + weight[j]);
            double share = 1.0;
            if (!counts[0]) share -= share_of_first;
            if (!counts[1]) share -= 1.0 - share_of_first;
            sum += share * weights[i * n + j];
        }
    }
    const double score = sum / static_cast<double>(n - 1);
    return score > 1e-14 * weight_of(table.total, k) ? score : 0.0;  // less is rounding
}

}  // namespace ramify
