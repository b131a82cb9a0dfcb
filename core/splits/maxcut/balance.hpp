// The rows on the two sides of a cut, and how many one of them lacks of the least number.
// Invariant: a cut that lacks fewer rows is better than one that lacks more, whatever their
// weights. So a search that once has enough rows on both sides keeps enough. An empty side always
// lacks rows.
#pragma once

#include <algorithm>
#include <cstddef>

#include "splits/maxcut/cut.hpp"

namespace ramify {

class Balance {
  public:
    Balance(const double* support, std::size_t size, double min_leaf) : support_(support) {
        constexpr double slack = 1e-9;  // fractions are sums of shares
        double smallest = 0.0;
        for (std::size_t i = 0; i < size; ++i) {
            if (support[i] > 0.0 && (smallest <= 0.0 || support[i] < smallest))
                smallest = support[i];
        }
        least_ = std::max(min_leaf - slack, smallest / 2);
    }

    template <Cut C>
    void count(const C& cut) {
        rows_[0] = rows_[1] = 0.0;
        for (std::size_t i = 0; i < cut.size(); ++i) rows_[cut.side(i)] += support_[i];
    }
    double lacking() const { return lacking(0.0); }
    bool feasible() const { return lacking() <= 0.0; }

    // Rows that side 1 gains if i changes sides.
    double shift(std::size_t i, CutSide side) const {
        return side == 0 ? support_[i] : -support_[i];
    }
    void move(double shift) {
        rows_[0] -= shift;
        rows_[1] += shift;
    }
    // Whether a change is for the better: fewer rows are lacking, or the same number and the weight
    // gains more than `least_gain`.
    bool improves(double shift, double gain, double least_gain) const {
        const double now = lacking();
        if (now <= 0.0 && !(gain > least_gain)) return false;
        const double after = lacking(shift);
        return after < now || (after <= now && gain > least_gain);
    }

  private:
    double lacking(double shift) const {
        return std::max(0.0, least_ - std::min(rows_[0] - shift, rows_[1] + shift));
    }
    const double* support_;
    double least_;
    double rows_[2] = {0.0, 0.0};
};

}  // namespace ramify
