// The walk of every criterion that has none of its own. Invariant: that of walk.hpp.
#pragma once

#include <limits>
#include <vector>

#include "splits/walks/left_weights.hpp"
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
        : total_(total), left_(total, samples, scratch), criterion_(&criterion) {}
    void add(Word entry) { left_.add(entry); }
    void add_block(const double* sums, double support) { left_.add_block(sums, support); }
    bool better() {
        if (!left_.both_sides_large_enough()) return false;
        const std::size_t classes = left_.classes();
        double* right = left_.data() + classes;
        for (std::size_t j = 0; j < classes; ++j) {
            // What rounding leaves of a class that is all on the left counts as nothing.
            const double rest = total_.sums[j] - left_[j];
            right[j] = rest > total_.sums[j] * 1e-13 ? rest : 0.0;
        }
        last_ = criterion_->score({total_.sums, left_.data(), 2, classes});
        return last_ > threshold_;
    }
    void accept() {
        best_ = last_;
        const double scale = std::isfinite(total_.scale) ? total_.scale : std::abs(best_);
        threshold_ = best_ + tie_tolerance * scale;
    }
    double gain() const { return best_; }

  private:
    WalkTotal total_;
    LeftWeights<P> left_;
    const Criterion* criterion_;
    double last_ = 0.0;
    double best_ = -std::numeric_limits<double>::infinity(), threshold_ = best_;
};

}  // namespace ramify
