#include "splits/nominal/means.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "splits/nominal/exact.hpp"

namespace ramify {
namespace {

// A criterion by deviance, for levels whose rows are taken to have one of two targets: its index
// is the deviance of these two.
struct DevianceOfShares final : Criterion {
    DevianceOfShares(const Criterion& criterion, double low, double high)
        : of(criterion), low(low), high(high) {}

    double impurity(const double* weights, std::size_t) const override {
        const double weight = weights[0] + weights[1];
        const double mean = (weights[0] * low + weights[1] * high) / weight;
        if (!(mean > 0.0)) return 0.0;
        return (weights[0] * (weights[0] > 0.0 ? of.deviance(low, mean) : 0.0) +
                weights[1] * (weights[1] > 0.0 ? of.deviance(high, mean) : 0.0)) /
               weight;
    }

    const Criterion& of;
    double low, high;

  protected:
    double evaluate(const Partition& partition, double) const override {
        const auto moments = [&](const double* weights) {
            return std::array{weights[0] + weights[1], weights[0] * low + weights[1] * high, 0.0};
        };
        const auto node = moments(partition.node);
        std::vector<double> children;
        for (std::size_t c = 0; c < partition.count; ++c) {
            const auto child = moments(partition.children + 2 * c);
            children.insert(children.end(), child.begin(), child.end());
        }
        return of.score({node.data(), children.data(), partition.count, 3});
    }
};

}  // namespace

FoundSplit split_by_means(std::size_t levels, const double* moments, const double* support,
                          double min_leaf, const Criterion& criterion, double scale) {
    const bool squared = criterion.walk_kind() == WalkKind::squared_error;
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
    if (squared) scale = variance;
    const auto tie = [&](double score) {
        return tie_tolerance * (std::isfinite(scale) ? scale : std::abs(score));
    };
    NominalSplit best;
    best.score = -std::numeric_limits<double>::infinity();
    double most = best.score;  // of any cut, even with too few rows on a side
    std::size_t cut = 0;
    double weight = 0.0;
    double sum = 0.0;
    double rows = 0.0;
    double sides[6] = {};
    for (std::size_t i = 0; i + 1 < levels; ++i) {
        const double* level = moments + 3 * order[i];
        rows += support[order[i]];
        double gain = 0.0;
        if (squared) {
            weight += level[0];
            sum += level[1] - centre * level[0];
            gain = sum * sum / (weight * (total[0] - weight));
        } else {
            for (std::size_t m = 0; m < 3; ++m) {
                sides[m] += level[m];
                sides[3 + m] = total[m] - sides[m];
            }
            gain = criterion.score({total, sides, 2, 3});
        }
        most = std::max(most, gain);
        if (rows < min_leaf - 1e-9 || total_support - rows < min_leaf - 1e-9) continue;
        ++best.work;
        if (cut == 0 ? gain > best.score : gain > best.score + tie(best.score)) {
            best.score = gain;
            cut = i + 1;
        }
    }
    if (cut == 0) return std::nullopt;
    // Concave functions of the mean: Breiman et al. 1984, theorem 4.5; Chou 1991.
    best.proven = criterion.drop_of_impurity() && best.score >= most - tie(best.score);
    best.right.assign(levels, 1);
    for (std::size_t i = 0; i < cut; ++i) best.right[order[i]] = 0;
    if (best.right[0] != 0) {
        for (auto& side : best.right) side = side == 0;
    }
    return best;
}

FoundSplit split_means_exactly(std::size_t levels, const double* moments, const double* support,
                               double min_leaf, const Criterion& criterion, double scale,
                               Interrupt& interrupt) {
    auto in_order = split_by_means(levels, moments, support, min_leaf, criterion, scale);
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
    const bool squared = criterion.walk_kind() == WalkKind::squared_error;
    const auto gini = make_criterion("gini", {});
    const DevianceOfShares deviance(criterion, *low, *high);
    const Criterion& of_shares = squared ? *gini : static_cast<const Criterion&>(deviance);
    auto found = Exact({}).split(
        {levels, 2, counts.data(), support, weight.data(), total, min_leaf, &interrupt}, of_shares);
    if (!found) return in_order;
    if (squared) found->score *= range * range / 2.0;
    // If both are best up to rounding, the cut in the order of the means is taken.
    if (in_order && in_order->score >= found->score * (1.0 - tie_tolerance)) {
        in_order->proven = found->proven;
        return in_order;
    }
    return found;
}

}  // namespace ramify
