// Variance reduction by blocks. Invariant: that of walk.hpp.
#pragma once

#include <algorithm>
#include <cstddef>

#include "splits/walks/mean_walk.hpp"

namespace ramify {

// Variance reduction. For targets minus the mean of the node, the sums of the two sides are
// opposite, +-L, and the gain is L^2 / (W_L W_R).
template <typename P>
class SquaredErrorWalk : public MeanWalk<P> {
    using Base = MeanWalk<P>;
    using Base::end_, Base::left_, Base::sum_, Base::threshold_, Base::weight_;

  public:
    using Word = typename P::Word;
    static constexpr bool cheap = true;
    SquaredErrorWalk(const WalkTotal& total, const Samples& samples) : Base(total, samples) {}

    std::size_t block_size() const {
        return P::weighted || weight_ < 256.0 ? 0 : Base::rows_of_block;
    }
    bool skip(const Word* entries, std::size_t) {
        const auto [lowest, highest] = Base::look_at(entries);
        const double square = std::max(highest * highest, lowest * lowest);
        const double after = left_ + static_cast<double>(Base::rows_of_block);
        // The product is concave: it is least at an end.
        const double product = std::min(left_ * (weight_ - left_), after * (weight_ - after));
        if (square > threshold_ * product) {
            lowest_ = lowest;
            highest_ = highest;
            return false;
        }
        Base::step_over(after);
        return true;
    }
    bool better() const {
        return sum_ * sum_ > threshold_ * (left_ * (weight_ - left_)) && Base::enough(left_);
    }
    void accept() { Base::accept_gain(sum_ * sum_ / (left_ * (weight_ - left_))); }
    double left_excess() const { return sum_; }
    // Steps over a block if `limits` bar all its cuts.
    template <typename Limits>
    bool pass(const Word*, std::size_t size, const Limits& limits) {
        // skip() has looked at the block.
        const double after = left_ + static_cast<double>(size);
        if (!limits.bar(left_, after, lowest_, highest_)) return false;
        Base::step_over(after);
        return true;
    }

  private:
    double lowest_ = 0.0, highest_ = 0.0;  // sums in the block that could not be skipped
};

}  // namespace ramify
