// Reduction of a deviance from the mean, Poisson or gamma. Invariant: that of walk.hpp.
#pragma once

#include <cstddef>

#include "criteria/deviance.hpp"
#include "splits/walks/mean_walk.hpp"

namespace ramify {

template <typename P, typename Deviance>
class DevianceWalk : public MeanWalk<P> {
    using Base = MeanWalk<P>;
    using Base::left_, Base::mean_, Base::sum_, Base::threshold_, Base::weight_;

  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    DevianceWalk(const WalkTotal& total, const Samples& samples)
        : Base(total, samples),
          // Without a mean above zero all targets are zero, and so are all differences from it.
          unit_(mean_ > 0.0 ? mean_ : 1.0),
          inverse_(1.0 / unit_),
          factor_(Deviance::unit(mean_) / weight_) {
        if (total.divided == nullptr) return;
        const double known = weight_ - total.divided[0];
        grown_ = weight_ / known;
        pulled_ = (total.divided[1] - mean_ * total.divided[0]) / known;
        divides_ = true;
    }

    std::size_t block_size() const {
        return P::weighted || divides_ || weight_ < 256.0 ? 0 : Base::rows_of_block;
    }
    bool skip(const Word* entries, std::size_t) {
        const auto [lowest, highest] = Base::look_at(entries);
        const double after = left_ + static_cast<double>(Base::rows_of_block);
        if (!(left_ > 0.0) || !(after < weight_) || lowest + unit_ * left_ < 0.0 ||
            highest > unit_ * (weight_ - after))
            return false;  // a corner would have a negative sum of targets
        if (reaches(left_, highest) || reaches(left_, lowest) || reaches(after, highest) ||
            reaches(after, lowest))
            return false;
        Base::step_over(after);
        return true;
    }
    bool better() {
        const double left = left_ * grown_;
        const double off = sum_ + left_ * pulled_;
        return reaches(left, off) && Base::enough(left) && beats(left, off);
    }
    void accept() { Base::accept_gain(last_); }

  private:
    // Whether a left side of this weight and this sum could be better than the best.
    bool reaches(double left, double off) const {
        const CutBound bound =
            Deviance::bound(unit_, weight_, CutSides(inverse_, weight_, left, off));
        return threshold_ < 0.0 || bound.over > threshold_ * bound.under;
    }
    // Whether it is.
    bool beats(double left, double off) {
        last_ = factor_ * rises_of<Deviance>(unit_, weight_, left, off);
        return last_ > threshold_;
    }

    double unit_, inverse_, factor_;
    double last_ = 0.0;
    // Rows that a cut divides raise the weight of a side, and pull its sum, in proportion.
    double grown_ = 1.0, pulled_ = 0.0;
    bool divides_ = false;
};

}  // namespace ramify
