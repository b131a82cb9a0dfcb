// Absolute deviation about the median, for every prefix of a sequence: a Fenwick tree over the
// ranks of the targets. Invariant: loss() is the least weighted sum of |y - m| over all m of what
// has been added.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramify {

class MedianSums {
  public:
    // `sorted` are the targets of all that may be added, ascending; a rank is a position in it.
    explicit MedianSums(const std::vector<double>& sorted)
        : sorted_(sorted), weight_(sorted.size() + 1, 0.0), moment_(sorted.size() + 1, 0.0) {}

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
        std::size_t at = 0;
        double weight = 0.0;
        double moment = 0.0;
        for (std::size_t step = std::bit_floor(weight_.size() - 1); step > 0; step /= 2) {
            if (at + step < weight_.size() && weight + weight_[at + step] < total_weight_ / 2) {
                at += step;
                weight += weight_[at];
                moment += moment_[at];
            }
        }
        if (at >= sorted_.size()) at = sorted_.size() - 1;
        const double median = sorted_[at];
        return median * weight - moment + (total_moment_ - moment) -
               median * (total_weight_ - weight);
    }

  private:
    const std::vector<double>& sorted_;
    std::vector<double> weight_, moment_;
    double total_weight_ = 0.0, total_moment_ = 0.0;
};

}  // namespace ramify
