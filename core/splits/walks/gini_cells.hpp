// Gini over the rows of a contingency table. Invariant: that of walk.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "splits/walks/gini_corners.hpp"
#include "splits/walks/walk.hpp"

namespace ramify {

// A walk over the rows of a contingency table, many entries at a time.
template <typename W>
concept CellWalk =
    requires(W walk, const std::uint32_t* counts, double rows) { walk.add_cells(counts, rows); };

// GiniWalk for contingency tables: the sums of squares are made anew at every row of the table,
// four classes at a time.
class GiniCellWalk {
  public:
    GiniCellWalk(const WalkTotal& total, std::size_t classes, std::vector<double>& scratch)
        : n_(total.support),
          min_leaf_(total.min_leaf),
          margin_(tie_tolerance * total.scale * n_),
          classes_(classes),
          total_(total.sums) {
        scratch.assign(classes, 0.0);
        left_ = scratch.data();
        for (std::size_t j = 0; j < classes; ++j) squares_ += total_[j] * total_[j];
        squares_right_ = squares_;
        threshold_ = std::max(-1.0, total.floor * n_ + squares_ / n_);
    }
    void add_cells(const std::uint32_t* counts, double rows) {
        double squares[4] = {};
        double products[4] = {};  // of left and total
        const auto add = [&](std::size_t j, std::size_t lane) {
            const double left =
                left_[j] + static_cast<double>(static_cast<std::int32_t>(counts[j]));
            left_[j] = left;
            squares[lane] += left * left;
            products[lane] += left * total_[j];
        };
        std::size_t j = 0;
        for (; j + 4 <= classes_; j += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) add(j + lane, lane);
        }
        for (; j < classes_; ++j) add(j, 0);
        squares_left_ = (squares[0] + squares[1]) + (squares[2] + squares[3]);
        const double product = (products[0] + products[1]) + (products[2] + products[3]);
        squares_right_ = squares_ - 2.0 * product + squares_left_;
        i_ += rows;
    }
    // How many of the next rows of the table one test may skip.
    std::size_t block_size() const { return classes_ > GiniCorners::most_classes ? 0 : 16; }
    // Steps over a block, given its sums, if no cut inside it is better.
    bool skip(const double* sums) {
        GiniCorners corners({squares_left_, squares_right_, i_});
        for (std::size_t j = 0; j < classes_; ++j)
            corners.add(sums[j], left_[j], total_[j] - left_[j]);
        if (corners.any_above(threshold_, n_)) return false;
        for (std::size_t j = 0; j < classes_; ++j) left_[j] += sums[j];
        const GiniPoint end = corners.end();
        squares_left_ = end.left;
        squares_right_ = end.right;
        i_ = end.rows;
        return true;
    }
    bool better() const {
        const double rest = n_ - i_;
        return squares_left_ * rest + squares_right_ * i_ > threshold_ * (i_ * rest) &&
               i_ >= min_leaf_ && rest >= min_leaf_;
    }
    void accept() {
        best_ = squares_left_ / i_ + squares_right_ / (n_ - i_);
        threshold_ = best_ + margin_;
    }
    double gain() const { return best_ < 0.0 ? -1.0 : std::max(0.0, (best_ - squares_ / n_) / n_); }
    double left_weight() const { return i_; }
    double left_sum(std::size_t place) const { return left_[place]; }

  private:
    double n_, min_leaf_, margin_;
    std::size_t classes_;
    const double* total_;
    double* left_;
    double squares_ = 0.0, squares_left_ = 0.0, squares_right_ = 0.0, i_ = 0.0;
    double best_ = -1.0, threshold_ = -1.0;
};

}  // namespace ramify
