// The loss of targets by their median or another quantile, for every prefix of a sequence, by a
// Fenwick tree over the ranks of the targets. Invariant: loss() is the least weighted sum of the
// loss over all predictions, for the targets added so far.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "criteria/criterion.hpp"

namespace ramify {

class QuantileSums {
  public:
    // `sorted` are the targets of all that may be added, ascending; a rank is a position in it.
    // `vague` marks means that stand for several targets; empty: there are none. Such targets lie
    // on one side of every quantile, where their loss follows from their mean.
    QuantileSums(const std::vector<double>& sorted, const RankLoss& rule,
                 const std::vector<std::uint8_t>& vague)
        : sorted_(sorted),
          rule_(rule),
          vague_(vague),
          weight_(sorted.size() + 1, 0.0),
          moment_(sorted.size() + 1, 0.0) {}

    void clear() {
        weight_.assign(weight_.size(), 0.0);
        moment_.assign(moment_.size(), 0.0);
        total_weight_ = total_moment_ = 0.0;
    }
    void add(std::size_t rank, double weight) {
        const double moment = weight * sorted_[rank];
        for (std::size_t i = rank + 1; i < weight_.size(); i += i & (~i + 1)) {
            weight_[i] += weight;
            moment_[i] += moment;
        }
        total_weight_ += weight;
        total_moment_ += moment;
    }
    double total_weight() const { return total_weight_; }
    double loss() const {
        return least_loss({total_weight_, total_moment_},
                          [&](std::size_t i) { return Sums{weight_[i], moment_[i]}; });
    }
    // The loss of what was added here together with a share of what was added to `other`, which has
    // the same targets.
    double loss_with(const QuantileSums& other, double share) const {
        return least_loss({total_weight_ + share * other.total_weight_,
                           total_moment_ + share * other.total_moment_},
                          [&](std::size_t i) {
                              return Sums{weight_[i] + share * other.weight_[i],
                                          moment_[i] + share * other.moment_[i]};
                          });
    }

  private:
    struct Sums {
        double weight, moment;
    };

    // `sums_at(i)`: what place i of the tree holds.
    template <typename At>
    double least_loss(Sums total, At&& sums_at) const {
        std::size_t at = 0;
        Sums below{0.0, 0.0};
        for (std::size_t step = std::bit_floor(weight_.size() - 1); step > 0; step /= 2) {
            if (at + step >= weight_.size()) continue;
            const Sums more = sums_at(at + step);
            if (below.weight + more.weight < rule_.quantile * total.weight) {
                at += step;
                below.weight += more.weight;
                below.moment += more.moment;
            }
        }
        if (at >= sorted_.size()) at = sorted_.size() - 1;
        if (!vague_.empty() && vague_[at] != 0) require_tie(below.weight, total.weight);
        const double quantile = sorted_[at];
        if (rule_.middle) {
            return quantile * below.weight - below.moment + (total.moment - below.moment) -
                   quantile * (total.weight - below.weight);
        }
        return rule_.below * (quantile * below.weight - below.moment) +
               rule_.above *
                   ((total.moment - below.moment) - quantile * (total.weight - below.weight));
    }

    // Where the weight below is all that a quantile needs, every point up to the next target loses
    // the same.
    void require_tie(double below, double total) const {
        if (std::abs(below - rule_.quantile * total) > 1e-9 * total)
            throw std::logic_error("a quantile lies among targets that were not read");
    }

    const std::vector<double>& sorted_;
    RankLoss rule_;
    const std::vector<std::uint8_t>& vague_;
    std::vector<double> weight_, moment_;
    double total_weight_ = 0.0, total_moment_ = 0.0;
};

}  // namespace ramify
