// A bound on the Gini gain of all cuts inside a block of entries. The gain is convex in the class
// counts on the left. Within a block these counts stay inside a box: between none and all of the
// block's rows of each class. Invariant: if no corner of the box beats the best, no cut inside the
// block does.
#pragma once

#include <array>
#include <cstddef>

namespace ramify {

// The sums of squared counts of both sides, and the rows on the left.
struct GiniPoint {
    double left = 0.0, right = 0.0, rows = 0.0;
};

class GiniCorners {
  public:
    static constexpr std::size_t most_classes = 4;

    explicit GiniCorners(const GiniPoint& start) {
        left_[0] = start.left;
        right_[0] = start.right;
        rows_[0] = start.rows;
    }
    // Adds a class: its rows in the block, and on both sides before the block.
    void add(double rows, double left, double right) {
        const double more_left = rows * (2.0 * left + rows);
        const double less_right = rows * (2.0 * right - rows);
        for (std::size_t k = 0; k < count_; ++k) {
            left_[count_ + k] = left_[k] + more_left;
            right_[count_ + k] = right_[k] - less_right;
            rows_[count_ + k] = rows_[k] + rows;
        }
        count_ *= 2;
    }
    // Whether left / rows + right / (n - rows) exceeds the threshold at some corner.
    bool any_above(double threshold, double n) const {
        int above = 0;
        for (std::size_t k = 0; k < count_; ++k) {
            const double rest = n - rows_[k];
            above |= left_[k] * rest + right_[k] * rows_[k] > threshold * (rows_[k] * rest);
        }
        return above != 0;
    }
    // Where the block ends.
    GiniPoint end() const { return {left_[count_ - 1], right_[count_ - 1], rows_[count_ - 1]}; }

  private:
    std::size_t count_ = 1;
    std::array<double, std::size_t{1} << most_classes> left_, right_, rows_;
};

}  // namespace ramify
