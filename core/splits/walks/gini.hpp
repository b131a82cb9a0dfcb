// Gini by counts of rows, class by class. Invariant: that of walk.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "splits/walks/gini_corners.hpp"
#include "splits/walks/walk.hpp"

namespace ramify {

// Two classes, unweighted. gain = 2 d^2 / (n^2 i (n - i)) with d = n c - i C: no division until the
// end.
template <typename Layout>
class TwoClassGiniWalk {
  public:
    using Word = typename Layout::Word;
    static constexpr bool cheap = true;
    TwoClassGiniWalk(const WalkTotal& total)
        : n_(static_cast<std::int64_t>(total.support)),
          second_(static_cast<std::int64_t>(total.sums[1])),
          min_leaf_(static_cast<std::int64_t>(std::ceil(total.min_leaf))),
          scale_(2.0 / (static_cast<double>(n_) * static_cast<double>(n_))),
          margin_(tie_tolerance * total.scale / scale_),
          threshold_(std::max(-1.0, total.floor / scale_)) {}

    void add(Word entry) {
        d_ += (n_ & -static_cast<std::int64_t>(Layout::label(entry))) - second_;
        ++i_;
    }
    void add_block(const double* sums, double support) {
        const auto rows = static_cast<std::int64_t>(support);
        d_ += n_ * static_cast<std::int64_t>(sums[1]) - rows * second_;
        i_ += rows;
    }
    bool better() const { return above(d_, i_) && i_ >= min_leaf_ && n_ - i_ >= min_leaf_; }

    // The gain is convex in (rows, rows of the second class) on the left. Within a block that point
    // stays inside the parallelogram of "ones first" and "zeros first". So if no corner beats the
    // best, no cut inside does.
    std::size_t block_size() const { return n_ >= 8192 ? 64 : n_ >= 256 ? 16 : 0; }
    bool skip(const Word* entries, std::size_t size) {
        std::uint32_t ones = 0;
        for (std::size_t k = 0; k < size; ++k) ones += Layout::label(entries[k]);
        const auto second = static_cast<std::int64_t>(ones);
        const auto all = static_cast<std::int64_t>(size);
        const std::int64_t after = d_ + second * n_ - all * second_;
        if (above(d_, i_) || above(d_ + second * (n_ - second_), i_ + second) ||
            above(d_ - (all - second) * second_, i_ + all - second) || above(after, i_ + all)) {
            return false;
        }
        d_ = after;
        i_ += all;
        return true;
    }
    void accept() {
        const double d = static_cast<double>(d_);
        best_ = d * d / static_cast<double>(i_ * (n_ - i_));
        threshold_ = best_ + margin_;
    }
    double gain() const { return best_ * scale_; }
    double left_weight() const { return static_cast<double>(i_); }
    double left_sum(std::size_t place) const {
        // Whole, but a division of doubles takes less time.
        const double second =
            std::nearbyint(static_cast<double>(d_ + i_ * second_) / static_cast<double>(n_));
        return place == 1 ? second : static_cast<double>(i_) - second;
    }
    double left_excess() const { return static_cast<double>(d_) / static_cast<double>(n_); }
    // Steps over a block if `limits` bar all its cuts.
    template <typename Limits>
    bool pass(const Word* entries, std::size_t size, const Limits& limits) {
        std::uint32_t ones = 0;
        for (std::size_t k = 0; k < size; ++k) ones += Layout::label(entries[k]);
        const auto second = static_cast<std::int64_t>(ones);
        const auto all = static_cast<std::int64_t>(size);
        const double scale = 1.0 / static_cast<double>(n_);
        const double lowest = scale * static_cast<double>(d_ - (all - second) * second_);
        const double highest = scale * static_cast<double>(d_ + second * (n_ - second_));
        if (!limits.bar(static_cast<double>(i_), static_cast<double>(i_ + all), lowest, highest))
            return false;
        d_ += second * n_ - all * second_;
        i_ += all;
        return true;
    }

  private:
    bool above(std::int64_t d, std::int64_t i) const {
        const double real = static_cast<double>(d);
        return real * real > threshold_ * static_cast<double>(i * (n_ - i));
    }

    std::int64_t n_, second_, min_leaf_;
    double scale_, margin_;
    std::int64_t d_ = 0, i_ = 0;
    double best_ = -1.0, threshold_;
};

// Any number of classes, unweighted: sums of squared counts of both sides, kept up to date.
template <typename Layout>
class GiniWalk {
  public:
    using Word = typename Layout::Word;
    static constexpr bool cheap = true;
    GiniWalk(const WalkTotal& total, std::size_t classes, std::vector<std::int64_t>& scratch)
        : n_(total.support), min_leaf_(total.min_leaf) {
        scratch.assign(2 * classes, 0);
        left_ = scratch.data();
        total_ = left_ + classes;
        for (std::size_t j = 0; j < classes; ++j) {
            total_[j] = static_cast<std::int64_t>(total.sums[j]);
            squares_right_ += total_[j] * total_[j];
        }
        classes_ = classes;
        whole_ = static_cast<double>(squares_right_) / n_;
        margin_ = tie_tolerance * total.scale * n_;
        threshold_ = std::max(-1.0, total.floor * n_ + whole_);
    }
    void add(Word entry) {
        const std::uint32_t j = Layout::label(entry);
        const std::int64_t left = left_[j]++;
        squares_left_ += 2 * left + 1;
        squares_right_ -= 2 * (total_[j] - left) - 1;
        i_ += 1.0;
    }
    void add_block(const double* sums, double support) {
        for (std::size_t j = 0; j < classes_; ++j) {
            const auto count = static_cast<std::int64_t>(sums[j]);
            squares_left_ += count * (2 * left_[j] + count);
            squares_right_ -= count * (2 * (total_[j] - left_[j]) - count);
            left_[j] += count;
        }
        i_ += support;
    }

    // The classes of a block are counted by comparisons, which the compiler turns into vector code.
    // This pays for few classes only.
    std::size_t block_size() const {
        if (classes_ > GiniCorners::most_classes || n_ < 128.0) return 0;
        return n_ >= 2048.0 ? 64 : n_ >= 512.0 ? 32 : 16;
    }
    bool skip(const Word* entries, std::size_t size) {
        std::uint32_t counts[GiniCorners::most_classes] = {};
        for (std::size_t k = 0; k < size; ++k) {
            const std::uint32_t label = Layout::label(entries[k]);
            counts[1] += label == 1;
            counts[2] += label == 2;
            counts[3] += label == 3;
        }
        counts[0] = static_cast<std::uint32_t>(size) - counts[1] - counts[2] - counts[3];
        GiniCorners corners(
            {static_cast<double>(squares_left_), static_cast<double>(squares_right_), i_});
        for (std::size_t j = 0; j < classes_; ++j) {
            corners.add(counts[j], static_cast<double>(left_[j]),
                        static_cast<double>(total_[j] - left_[j]));
        }
        if (corners.any_above(threshold_, n_)) return false;
        for (std::size_t j = 0; j < classes_; ++j) left_[j] += counts[j];
        const GiniPoint end = corners.end();
        squares_left_ = static_cast<std::int64_t>(end.left);
        squares_right_ = static_cast<std::int64_t>(end.right);
        i_ = end.rows;
        return true;
    }
    bool better() const {
        const double rest = n_ - i_;
        return static_cast<double>(squares_left_) * rest +
                       static_cast<double>(squares_right_) * i_ >
                   threshold_ * (i_ * rest) &&
               i_ >= min_leaf_ && rest >= min_leaf_;
    }
    void accept() {
        best_ = static_cast<double>(squares_left_) / i_ +
                static_cast<double>(squares_right_) / (n_ - i_);
        threshold_ = best_ + margin_;
    }
    double gain() const { return best_ < 0.0 ? -1.0 : std::max(0.0, (best_ - whole_) / n_); }

    double left_weight() const { return i_; }
    double left_sum(std::size_t place) const { return static_cast<double>(left_[place]); }

  private:
    double n_, min_leaf_;
    std::int64_t* left_;
    std::int64_t* total_;
    std::size_t classes_ = 0;
    std::int64_t squares_left_ = 0, squares_right_ = 0;
    double whole_ = 0.0, margin_ = 0.0, i_ = 0.0;
    double best_ = -1.0, threshold_ = -1.0;
};

}  // namespace ramify
