#include "optimal/number_loss.hpp"

#include <algorithm>

#include "criteria/deviance.hpp"

namespace ramify::optimal {
namespace {

template <typename Deviance>
double deviance_of(double d, double prediction) {
    return prediction > 0.0 ? Deviance::unit(prediction) * rise_of<Deviance>(d) : 0.0;
}

}  // namespace

double NumberObjective::deviance(double d, double prediction) const {
    return measure == NumberMeasure::poisson ? deviance_of<PoissonDeviance>(d, prediction)
                                             : deviance_of<GammaDeviance>(d, prediction);
}

NumberLoss::NumberLoss(const NumberObjective& objective, std::span<const double> target,
                       std::span<const double> weights)
    : objective_(objective), rule_(objective.rule()), target_(target), weights_(weights) {
    double sum = 0.0;
    for (std::size_t row = 0; row < target.size(); ++row) {
        total_ += weight(row);
        sum += weight(row) * target[row];
    }
    if (!target.empty()) {
        const auto [low, high] = std::minmax_element(target.begin(), target.end());
        low_ = *low;
        high_ = *high;
        mean_ = std::clamp(sum / total_, low_, high_);
    }
    objective.by_ranks() ? sort_targets() : measure_deviances();
}

void NumberLoss::sort_targets() {
    sorted_.assign(target_.begin(), target_.end());
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    for (const double y : target_) {
        ranks_.push_back(static_cast<std::int32_t>(
            std::lower_bound(sorted_.begin(), sorted_.end(), y) - sorted_.begin()));
    }
    for (double& y : sorted_) y -= mean_;
}

void NumberLoss::measure_deviances() {
    for (const double y : target_) {
        const double d = mean_ > 0.0 ? (y - mean_) / mean_ : 0.0;
        relative_.push_back(d);
        deviance_.push_back(objective_.deviance(d, mean_));
    }
}

double NumberLoss::reach() const {
    double most = 0.0;
    for (const double d : relative_) most = std::max(most, std::abs(d));
    return most;
}

double NumberLoss::of_ranks(const double* sums) const {
    double total = 0.0;
    for (std::size_t v = 0; v < sorted_.size(); ++v) total += sums[v];
    double below = 0.0, loss = 0.0;
    for (std::size_t v = 0; v + 1 < sorted_.size(); ++v) {
        below += sums[v];
        const double price = std::min(rule_.below * below, rule_.above * (total - below));
        loss += (sorted_[v + 1] - sorted_[v]) * price;
    }
    return std::max(0.0, loss);
}

double NumberLoss::rest(const double* sums) const {
    if (!(sums[0] > 0.0)) return 0.0;
    const double of_mean = objective_.deviance(std::max(-1.0, sums[1] / sums[0]), mean_);
    return std::max(0.0, sums[2] - sums[0] * of_mean);
}

// By ranks: as much as the worst prediction between the least and the largest target loses. By
// deviance: the loss is concave and homogeneous in the weight W and the sum of a leaf. So the row
// adds the more the larger W is at the same mean; and of all means the least or the largest target
// is the worst.
double NumberLoss::stake(std::size_t row) const {
    const double w = weight(row), y = target_[row];
    if (by_ranks()) return w * std::max(rule_.above * (y - low_), rule_.below * (high_ - y));
    double most = 0.0;
    for (const double m : {low_, high_}) {
        const double d = mean_ > 0.0 ? (m - mean_) / mean_ : 0.0;
        const double leaf[3] = {total_, total_ * d, total_ * objective_.deviance(d, mean_)};
        double joined[3] = {leaf[0], leaf[1], leaf[2]};
        add(row, joined);
        most = std::max(most, rest(joined));  // the leaf itself loses nothing
    }
    return most;
}

}  // namespace ramify::optimal
