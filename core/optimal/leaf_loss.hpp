// The loss of a leaf, from sums over its rows. Classification: the weight of every class; the loss
// is that of the cheapest prediction. Policy: the regret of every answer. Regression: weight,
// weighted target and its square, centred; or what another loss of numbers adds up. Invariant: sums
// add up, so the sums of a branch are those of the node minus those of the other branch. The loss
// of a part of the rows never exceeds that of all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "optimal/number_loss.hpp"
#include "optimal/problem.hpp"

namespace ramify::optimal {

class LeafLoss {
  public:
    explicit LeafLoss(const OptimalProblem& problem)
        : problem_(problem), regression_(problem.task == Task::regression) {
        if (regression_ && problem.objective.measure != NumberMeasure::squared) {
            numbers_.emplace(problem.objective, problem.target, problem.weights);
            width_ = numbers_->width();
        } else if (regression_) {
            width_ = 3;
            double weight = 0.0, sum = 0.0;
            for (std::size_t row = 0; row < problem.rows; ++row) {
                weight += this->weight(row);
                sum += this->weight(row) * problem.target[row];
            }
            centre_ = weight > 0.0 ? sum / weight : 0.0;
        } else {
            width_ = problem.classes;
            policy_ = !problem.regrets.empty();
            if (policy_) return;
            costs_ = problem.costs;
            if (costs_.empty()) {
                costs_.assign(width_ * width_, 1.0);
                for (std::size_t c = 0; c < width_; ++c) costs_[c * width_ + c] = 0.0;
            }
        }
    }

    std::size_t width() const { return width_; }
    bool regression() const { return regression_; }
    // The loss of numbers, unless it is the squared error.
    const std::optional<NumberLoss>& numbers() const { return numbers_; }
    double centre() const { return centre_; }  // of the target, from which moments are taken
    const std::vector<double>& costs() const { return costs_; }
    double weight(std::size_t row) const {
        return problem_.weights.empty() ? 1.0 : problem_.weights[row];
    }

    void add(std::size_t row, double* sums) const {
        const double weight = this->weight(row);
        if (policy_) {
            const double* of_row = problem_.regrets.data() + row * width_;
            for (std::size_t p = 0; p < width_; ++p) sums[p] += weight * of_row[p];
            return;
        }
        if (!regression_) {
            sums[problem_.labels[row]] += weight;
            return;
        }
        if (numbers_) return numbers_->add(row, sums);
        const double y = problem_.target[row] - centre_;
        sums[0] += weight;
        sums[1] += weight * y;
        sums[2] += weight * y * y;
    }

    double operator()(const double* sums) const {
        if (numbers_) return (*numbers_)(sums);
        if (regression_) {
            return sums[0] > 0.0 ? std::max(0.0, sums[2] - sums[1] * sums[1] / sums[0]) : 0.0;
        }
        if (policy_) return *std::min_element(sums, sums + width_);
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t predicted = 0; predicted < width_; ++predicted) {
            double loss = 0.0;
            for (std::size_t label = 0; label < width_; ++label) {
                loss += sums[label] * costs_[label * width_ + predicted];
            }
            best = std::min(best, loss);
        }
        return best;
    }

    // The most that one more row can add to the loss of a tree.
    double stake(std::size_t row) const {
        if (numbers_) return numbers_->stake(row);
        if (regression_) {
            const auto [low, high] =
                std::minmax_element(problem_.target.begin(), problem_.target.end());
            const double range = *high - *low;
            return weight(row) * range * range;
        }
        if (policy_) {
            const double* of_row = problem_.regrets.data() + row * width_;
            return weight(row) * *std::max_element(of_row, of_row + width_);
        }
        const double* of_label = costs_.data() + problem_.labels[row] * width_;
        return weight(row) * *std::max_element(of_label, of_label + width_);
    }

  private:
    const OptimalProblem& problem_;
    bool regression_;
    bool policy_ = false;
    std::size_t width_ = 0;
    double centre_ = 0.0;
    std::vector<double> costs_;
    std::optional<NumberLoss> numbers_;
};

}  // namespace ramify::optimal
