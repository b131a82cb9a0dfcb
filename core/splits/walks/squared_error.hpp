// Variance reduction by blocks. Invariant: that of walk.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "splits/walks/walk.hpp"

namespace ramify {

// Variance reduction. For targets minus the mean of the node, the sums of the two sides are
// opposite, +-L, and the gain is L^2 / (W_L W_R).
template <typename P>
class SquaredErrorWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = true;
    SquaredErrorWalk(const WalkTotal& total, const Samples& samples)
        : samples_(&samples),
          target_(samples.target.data()),
          weight_(total.weight),
          support_(total.support),
          min_leaf_(total.min_leaf),
          mean_(total.sums[1] / total.weight),
          margin_(tie_tolerance * total.scale),
          threshold_(std::max(-1.0, total.floor)) {}

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
    // The gain is convex in (rows, sum) on the left. Within a block that point stays inside a box:
    // none to all of its rows, by the sum of its negative targets to the sum of its positive ones.
    // So if no corner beats the best, no cut inside does.
    std::size_t block_size() const { return P::weighted || weight_ < 256.0 ? 0 : 16; }
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
        const double square = std::max(highest * highest, lowest * lowest);
        const double after = left_ + 16.0;
        // The product is concave: it is least at an end.
        const double product = std::min(left_ * (weight_ - left_), after * (weight_ - after));
        end_ = sum_ + all;
        if (square > threshold_ * product) {
            lowest_ = lowest;
            highest_ = highest;
            return false;
        }
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
    bool better() const {
        const double rest = weight_ - left_;
        if (!(sum_ * sum_ > threshold_ * (left_ * rest))) return false;
        const double i = P::weighted ? i_ : left_;
        return left_ > 0.0 && rest > 1e-13 * weight_ && i >= min_leaf_ - 1e-9 &&
               support_ - i >= min_leaf_ - 1e-9;
    }
    void accept() {
        best_ = sum_ * sum_ / (left_ * (weight_ - left_));
        threshold_ = best_ + margin_;
    }
    double gain() const { return best_; }
    double left_weight() const { return left_; }
    double left_sum(std::size_t) const { return sum_ + mean_ * left_; }
    double left_excess() const { return sum_; }
    // Steps over a block if `limits` bar all its cuts.
    template <typename Limits>
    bool pass(const Word*, std::size_t size, const Limits& limits) {
        // skip() has looked at the block.
        const double after = left_ + static_cast<double>(size);
        if (!limits.bar(left_, after, lowest_, highest_)) return false;
        sum_ = end_;
        left_ = after;
        return true;
    }

  private:
    const Samples* samples_;
    const double* target_;
    double weight_, support_, min_leaf_, mean_, margin_;
    double sum_ = 0.0, end_ = 0.0, left_ = 0.0, i_ = 0.0;
    double lowest_ = 0.0, highest_ = 0.0;  // sums in the block that could not be skipped
    double best_ = -1.0, threshold_;
};

}  // namespace ramify
