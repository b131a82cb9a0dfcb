// A cut of the squared Gini graph of a contingency table A: w_ij = sum_{x != y} c_xy A_ix A_jy,
// where c are the mixing costs made symmetric, or 1 if there are none (Pereira 2018, section
// 3.2.1). The factor 2 / N^2 is left out, so that whole counts give whole weights. Invariant: only
// the class sums of both sides are kept, no graph. With B = A C, w_ij = B_i . A_j, and a side pulls
// level i with B_i . (its sum).
//
// Levels of the same class distribution are not merged: the weight is concave in how such a group
// is shared out, so a cut through it may be the best one.
#pragma once

#include <cstddef>
#include <vector>

#include "splits/maxcut/cut.hpp"

namespace ramify {

class SquaredGiniCut {
  public:
    // `costs` is classes x classes, or empty.
    SquaredGiniCut(const double* counts, std::size_t levels, std::size_t classes,
                   const std::vector<double>& costs);

    std::size_t size() const { return sides_.size(); }
    double total() const { return total_; }
    std::size_t steps() const { return classes_; }
    // Not zero: a level that outweighs all others has larger sums of its own than the whole graph.
    double rounding() const { return rounding_; }
    double weight(std::size_t i, std::size_t j) const {
        return i == j ? 0.0 : dot(mixed(i), counts(j));
    }
    double at_most(std::size_t i, std::size_t j) const { return largest_[i] * weight_[j]; }
    double pull(std::size_t i, CutSide side) const {
        const double all = dot(mixed(i), sums_.data() + side * classes_);
        return side == sides_[i] ? all - own_[i] : all;
    }
    CutSide side(std::size_t i) const { return sides_[i]; }

    void place(std::size_t i, CutSide side) {
        sides_[i] = side;
        double* sums = sums_.data() + side * classes_;
        for (std::size_t x = 0; x < classes_; ++x) sums[x] += counts(i)[x];
    }
    void flip(std::size_t i) {
        double* sums = sums_.data() + sides_[i] * classes_;
        for (std::size_t x = 0; x < classes_; ++x) sums[x] -= counts(i)[x];
        place(i, sides_[i] ^ 1);
    }
    void clear() {
        sides_.assign(size(), unplaced);
        sums_.assign(2 * classes_, 0.0);
    }

    // sum_j w_ij v_j for the vectors v_j of the relaxation, through the sums over j of A_jx v_j.
    class Field {
      public:
        Field(const SquaredGiniCut& cut, const std::vector<double>& vectors, std::size_t rank);
        void at(std::size_t i, double* out) const;
        void moved(std::size_t i, const double* change);

      private:
        const SquaredGiniCut& cut_;
        const double* vectors_;
        std::size_t rank_;
        std::vector<double> sums_;  // classes x rank
    };

  private:
    double dot(const double* a, const double* b) const;
    const double* counts(std::size_t i) const { return counts_ + i * classes_; }
    const double* mixed(std::size_t i) const { return mixed_.data() + i * classes_; }

    const double* counts_;
    std::size_t classes_;
    std::vector<double> mixed_;    // B
    std::vector<double> own_;      // B_i . A_i
    std::vector<double> largest_;  // of B_i
    std::vector<double> weight_;   // of the level
    std::vector<CutSide> sides_;
    std::vector<double> sums_;  // of side 0, then of side 1
    double total_ = 0.0;
    double rounding_ = 0.0;
};

static_assert(Cut<SquaredGiniCut>);

}  // namespace ramify
