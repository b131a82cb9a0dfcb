// Losses of numbers other than the squared error, as sums over rows. By ranks (absolute error,
// quantiles): the sums are the weights at every distinct target. Between two neighbouring targets
// the best prediction pays for the lighter side, so the loss of a leaf is the sum over all gaps of
// the gap times the lesser of both prices. By deviance: the weight, the sum of the relative
// differences from the mean of all rows, and the sum of the deviances from that mean; the loss is
// what the deviances exceed that of the leaf's mean by. Invariant: sums add up over rows, and the
// loss of a part of the rows never exceeds that of all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "support/choices.hpp"

namespace ramify {
namespace optimal {

enum class NumberMeasure : std::uint8_t { squared, absolute, pinball, poisson, gamma };

}  // namespace optimal

template <>
inline constexpr auto names_of<optimal::NumberMeasure> =
    list_names("squared", "absolute", "pinball", "poisson", "gamma");

namespace optimal {

// What a search minimises where the target is a number.
struct NumberObjective {
    NumberMeasure measure = NumberMeasure::squared;
    double quantile = 0.5;  // pinball

    bool by_ranks() const {
        return measure == NumberMeasure::absolute || measure == NumberMeasure::pinball;
    }
    RankLoss rule() const {
        if (measure == NumberMeasure::absolute) return {};
        return {quantile, quantile, 1.0 - quantile, false};
    }
    // The deviance of a number whose relative difference from the prediction is d.
    double deviance(double d, double prediction) const;
};

class NumberLoss {
  public:
    // The views must outlive the object; empty weights are all 1.
    NumberLoss(const NumberObjective& objective, std::span<const double> target,
               std::span<const double> weights);

    std::size_t width() const { return ranks_.empty() ? 3 : sorted_.size(); }
    bool by_ranks() const { return !ranks_.empty(); }
    double weight(std::size_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }

    void add(std::size_t row, double* sums) const {
        if (by_ranks()) {
            sums[static_cast<std::size_t>(ranks_[row])] += weight(row);
            return;
        }
        const double w = weight(row);
        sums[0] += w;
        sums[1] += w * relative_[row];
        sums[2] += w * deviance_[row];
    }
    double operator()(const double* sums) const { return by_ranks() ? of_ranks(sums) : rest(sums); }

    // The most that one more row can add to the loss of a tree.
    double stake(std::size_t row) const;

    // By ranks: the place of a row's target among the distinct ones, and these, from the centre.
    const std::vector<std::int32_t>& ranks() const { return ranks_; }
    const std::vector<double>& sorted() const { return sorted_; }
    const RankLoss& rule() const { return rule_; }
    // By deviance: the largest relative difference of a row from the mean of all.
    double reach() const;
    // What the sums of losses that are subtracted from each other amount to.
    double scale(const double* sums) const { return by_ranks() ? 0.0 : sums[2]; }

  private:
    double of_ranks(const double* sums) const;
    double rest(const double* sums) const;
    void sort_targets();
    void measure_deviances();

    NumberObjective objective_;
    RankLoss rule_;
    std::span<const double> target_, weights_;
    double mean_ = 0.0, total_ = 0.0;
    double low_ = 0.0, high_ = 0.0;  // of the targets
    std::vector<std::int32_t> ranks_;
    std::vector<double> sorted_;
    std::vector<double> relative_, deviance_;
};

}  // namespace optimal
}  // namespace ramify
