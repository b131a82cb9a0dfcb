// The walk of every criterion that has none of its own. Invariant: that of walk.hpp.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "splits/walks/walk.hpp"

namespace ramify {

// Any criterion on class weights, weighted or not: the score is worked out at every candidate.
template <typename P>
class CriterionWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    CriterionWalk(const WalkTotal& total, const Samples& samples, const Criterion& criterion,
                  std::vector<double>& scratch)
        : total_(total), samples_(&samples), criterion_(&criterion), classes_(samples.classes) {
        scratch.assign(2 * classes_, 0.0);
        left_ = scratch.data();
    }
    void add(Word entry) {
        left_[P::Layout::label(entry)] += P::weight(*samples_, entry);
        i_ += P::fraction(*samples_, entry);
    }
    void add_block(const double* sums, double support) {
        for (std::size_t j = 0; j < classes_; ++j) left_[j] += sums[j];
        i_ += support;
    }
    bool better() {
        const double least = std::max(total_.min_leaf - support_slack, support_slack);
        if (i_ < least || total_.support - i_ < least) return false;
        for (std::size_t j = 0; j < classes_; ++j) {
            // What rounding leaves of a class that is all on the left counts as nothing.
            const double rest = total_.sums[j] - left_[j];
            left_[classes_ + j] = rest > total_.sums[j] * 1e-13 ? rest : 0.0;
        }
        last_ = criterion_->score({total_.sums, left_, 2, classes_});
        return last_ > threshold_;
    }
    void accept() {
        best_ = last_;
        const double scale = std::isfinite(total_.scale) ? total_.scale : std::abs(best_);
        threshold_ = best_ + tie_tolerance * scale;
    }
    double gain() const { return best_; }

  private:
    // Fractions are sums of shares: a child of "five rows" may hold 4.999999999.
    static constexpr double support_slack = 1e-9;
    WalkTotal total_;
    const Samples* samples_;
    const Criterion* criterion_;
    std::size_t classes_;
    double* left_;
    double i_ = 0.0, last_ = 0.0;
    double best_ = -std::numeric_limits<double>::infinity(), threshold_ = best_;
};

}  // namespace ramify
