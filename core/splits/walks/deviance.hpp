// Reduction of a deviance from the mean, Poisson or gamma. Invariant: that of walk.hpp. The sum on
// the left is one of differences from the mean of the node; that on the right is its opposite.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "criteria/deviance.hpp"
#include "splits/walks/walk.hpp"

namespace ramify {

template <typename P, typename Deviance>
class DevianceWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    DevianceWalk(const WalkTotal& total, const Samples& samples)
        : samples_(&samples),
          target_(samples.target.data()),
          weight_(total.weight),
          support_(total.support),
          min_leaf_(total.min_leaf),
          mean_(total.sums[1] / total.weight),
          // Without a mean above zero all targets are zero, and so are all differences from it.
          unit_(mean_ > 0.0 ? mean_ : 1.0),
          inverse_(1.0 / unit_),
          factor_(Deviance::unit(mean_) / weight_),
          margin_(tie_tolerance * total.scale),
          threshold_(std::max(-1.0, total.floor)) {
        if (total.divided == nullptr) return;
        const double known = weight_ - total.divided[0];
        grown_ = weight_ / known;
        pulled_ = (total.divided[1] - mean_ * total.divided[0]) / known;
        divides_ = true;
    }

    void prefetch(Word entry) const {
#if defined(__GNUC__)
        __builtin_prefetch(target_ + P::Layout::row(entry));
#endif
    }
    void add(Word entry) {
        const double y = target_[P::Layout::row(entry)] - mean_;
        if constexpr (P::weighted) {
            const double w = P::weight(*samples_, entry);
            sum_ += w * y;
            left_ += w;
            i_ += P::support(*samples_, entry);
        } else {
            sum_ += y;
            left_ += 1.0;
        }
    }
    // As for squared error: the gain is convex in (rows, sum) on the left, so none inside a block
    // exceeds that of the corners of a box around it.
    std::size_t block_size() const { return P::weighted || divides_ || weight_ < 256.0 ? 0 : 16; }
    bool skip(const Word* entries, std::size_t) {
        double plain[4] = {};
        double absolute[4] = {};
        for (std::size_t k = 0; k < 16; k += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const double y = target_[P::Layout::row(entries[k + lane])] - mean_;
                plain[lane] += y;
                absolute[lane] += std::abs(y);
            }
        }
        const double all = (plain[0] + plain[1]) + (plain[2] + plain[3]);
        const double size = (absolute[0] + absolute[1]) + (absolute[2] + absolute[3]);
        const double highest = sum_ + (all + size) / 2;
        const double lowest = sum_ + (all - size) / 2;
        const double after = left_ + 16.0;
        end_ = sum_ + all;
        if (!(left_ > 0.0) || !(after < weight_) || lowest + unit_ * left_ < 0.0 ||
            highest > unit_ * (weight_ - after))
            return false;  // a corner would have a negative sum of targets
        if (reaches(left_, highest) || reaches(left_, lowest) || reaches(after, highest) ||
            reaches(after, lowest))
            return false;
        sum_ = end_;
        left_ = after;
        return true;
    }
    void settle() { sum_ = end_; }
    void add_block(const double* sums, double support) {
        sum_ += sums[1] - mean_ * sums[0];
        left_ += sums[0];
        i_ += support;
    }
    bool better() {
        const double left = left_ * grown_;
        const double off = sum_ + left_ * pulled_;
        if (!reaches(left, off)) return false;
        const double i = P::weighted ? i_ : left_;
        if (!(left_ > 0.0 && weight_ - left > 1e-13 * weight_ && i >= min_leaf_ - 1e-9 &&
              support_ - i >= min_leaf_ - 1e-9))
            return false;
        return beats(left, off);
    }
    void accept() {
        best_ = last_;
        threshold_ = best_ + margin_;
    }
    double gain() const { return best_; }
    double left_weight() const { return left_; }
    double left_sum(std::size_t) const { return sum_ + mean_ * left_; }

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

    const Samples* samples_;
    const double* target_;
    double weight_, support_, min_leaf_, mean_, unit_, inverse_, factor_, margin_;
    double sum_ = 0.0, end_ = 0.0, left_ = 0.0, i_ = 0.0, last_ = 0.0;
    double best_ = -1.0, threshold_;
    // Rows that a cut divides raise the weight of a side, and pull its sum, in proportion.
    double grown_ = 1.0, pulled_ = 0.0;
    bool divides_ = false;
};

}  // namespace ramify
