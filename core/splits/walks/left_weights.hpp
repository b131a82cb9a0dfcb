// The class weights, or the moments of numbers, on the left of a walk over rows of any weight.
// Invariant: [j] is the sum of what the entries added bring to place j.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "splits/walks/walk.hpp"

namespace ramify {

template <typename P>
class LeftWeights {
  public:
    // The first `classes` numbers of `scratch` are the weights. The next 2 x `classes` numbers are
    // free to use.
    LeftWeights(const WalkTotal& total, const Samples& samples, std::vector<double>& scratch)
        : samples_(&samples),
          classes_(samples.width()),
          all_(total.support),
          least_(std::max(total.min_leaf - slack, slack)) {
        scratch.assign(3 * classes_, 0.0);
        weights_ = scratch.data();
    }
    void add(typename P::Word entry) {
        P::add(*samples_, entry, weights_);
        support_ += P::support(*samples_, entry);
    }
    void add_block(const double* sums, double support) {
        for (std::size_t j = 0; j < classes_; ++j) weights_[j] += sums[j];
        support_ += support;
    }
    bool both_sides_large_enough() const { return support_ >= least_ && all_ - support_ >= least_; }
    double operator[](std::size_t j) const { return weights_[j]; }
    double* data() const { return weights_; }
    std::size_t classes() const { return classes_; }
    double sum() const { return std::accumulate(weights_, weights_ + classes_, 0.0); }

  private:
    // Fractions add up with rounding: a child of "five rows" may hold 4.999999999.
    static constexpr double slack = 1e-9;
    const Samples* samples_;
    std::size_t classes_;
    double all_, least_;
    double* weights_;
    double support_ = 0.0;
};

}  // namespace ramify
