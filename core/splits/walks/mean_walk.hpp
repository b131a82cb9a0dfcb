// What walks over numbers share: the left side as a sum of differences from the mean of the node.
// The sum on the right is its opposite. Invariant: that of walk.hpp; a walk that derives from this
// adds the score of a left side, and nothing of how it grows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "splits/walks/walk.hpp"

namespace ramify {

template <typename P>
class MeanWalk {
  public:
    using Word = typename P::Word;

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
    void add_block(const double* sums, double support) {
        sum_ += sums[1] - mean_ * sums[0];
        left_ += sums[0];
        i_ += support;
    }
    // After the entries of a block that could not be skipped: takes the sum as the block had it.
    void settle() { sum_ = end_; }
    double gain() const { return best_; }
    double left_weight() const { return left_; }
    double left_sum(std::size_t) const { return sum_ + mean_ * left_; }

  protected:
    static constexpr std::size_t rows_of_block = 16;
    // The sums on the left inside a block. The gain is convex in (rows, sum) on the left. Within a
    // block that point stays inside a box: none to all of its rows, by the sum of its negative
    // targets to the sum of its positive ones. So if no corner beats the best, no cut inside does.
    struct Box {
        double lowest, highest;
    };

    MeanWalk(const WalkTotal& total, const Samples& samples)
        : samples_(&samples),
          target_(samples.target.data()),
          weight_(total.weight),
          support_(total.support),
          min_leaf_(total.min_leaf),
          mean_(total.sums[1] / total.weight),
          margin_(tie_tolerance * total.scale),
          threshold_(std::max(-1.0, total.floor)) {}

    // Looks at a block; `end_` is the sum behind it.
    Box look_at(const Word* entries) {
        double plain[4] = {};
        double absolute[4] = {};
        for (std::size_t k = 0; k < rows_of_block; k += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const double y = target_[P::Layout::row(entries[k + lane])] - mean_;
                plain[lane] += y;
                absolute[lane] += std::abs(y);
            }
        }
        const double all = (plain[0] + plain[1]) + (plain[2] + plain[3]);
        const double size = (absolute[0] + absolute[1]) + (absolute[2] + absolute[3]);
        end_ = sum_ + all;
        return {sum_ + (all - size) / 2, sum_ + (all + size) / 2};
    }
    // Steps over a block that was looked at; `after` is the weight on the left behind it.
    void step_over(double after) {
        sum_ = end_;
        left_ = after;
    }
    // Whether both sides have weight, and rows enough. `left`: the weight on the left with all that
    // a cut divides.
    bool enough(double left) const {
        const double i = P::weighted ? i_ : left_;
        return left_ > 0.0 && weight_ - left > 1e-13 * weight_ && i >= min_leaf_ - 1e-9 &&
               support_ - i >= min_leaf_ - 1e-9;
    }
    void accept_gain(double gain) {
        best_ = gain;
        threshold_ = best_ + margin_;
    }

    const Samples* samples_;
    const double* target_;
    double weight_, support_, min_leaf_, mean_, margin_;
    double sum_ = 0.0, end_ = 0.0, left_ = 0.0, i_ = 0.0;
    double best_ = -1.0, threshold_;
};

}  // namespace ramify
