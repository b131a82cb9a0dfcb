#include "splits/nominal/side.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/sums.hpp"

namespace ramify {
namespace {

// Whether numbers from 0 to 2^51 are whole, or so near that it does not matter.
bool whole_numbers(const double* a, std::size_t size) {
    constexpr double shift = 0x1p52;  // added to it, a number loses its fraction
    const Two shifts{shift, shift};
    Two off{0.0, 0.0};
    std::size_t j = 0;
    for (; j + 2 <= size; j += 2) {
        const Two fraction = (two_at(a + j) + shifts) - shifts - two_at(a + j);
        off = off + fraction * fraction;
    }
    return off[0] + off[1] == 0.0 && (j == size || a[j] == std::floor(a[j]));
}

}  // namespace

Side::Side(const Contingency& table, const Criterion& criterion, std::uint64_t offers)
    : table_(table),
      form_(criterion.walk_kind()),
      right_(table.levels, 1),
      left_(table.classes, 0.0),
      weight_(weight_of(table.total, table.classes)) {
    const std::size_t k = table.classes;
    if (form_ == WalkKind::gini) total_square_ = dot(table.total, table.total, k);
    // If the table is too large for the nearest caches, reading it once is better than twice.
    if (form_ == WalkKind::gini && offers > table.levels) {
        level_product_.resize(table.levels);
        for (std::size_t i = 0; i < table.levels; ++i) {
            level_product_[i] = dot(table.counts + i * k, table.total, k);
        }
    }
    right_square_ = total_square_;
    if (form_ == WalkKind::any) return;
    impurity_ = criterion.impurity(table.total, k);
    margin_ = 1e-9 * (1.0 + impurity_);
    // A table of logarithms pays if it has fewer entries than logarithms are needed.
    const double heaviest = *std::max_element(table.total, table.total + k);
    const double needed = static_cast<double>(offers) * static_cast<double>(k);
    if (form_ == WalkKind::entropy && heaviest < std::min(needed, 1e6) &&
        whole_numbers(table.counts, table.levels * k)) {
        powers_.resize(static_cast<std::size_t>(heaviest) + 2, 0.0);
        for (std::size_t x = 2; x < powers_.size(); ++x) powers_[x] = power(static_cast<double>(x));
    }
}

void Side::all_right() {
    std::fill(right_.begin(), right_.end(), std::uint8_t{1});
    std::fill(left_.begin(), left_.end(), 0.0);
    left_levels_ = 0;
    flips_ = 0;
    left_weight_ = left_support_ = left_square_ = 0.0;
    right_square_ = total_square_;
}

void Side::assign(const std::vector<std::uint8_t>& right) {
    for (std::size_t i = 0; i < right.size(); ++i) {
        if ((right[i] != 0) != (right_[i] != 0)) flip(i);
    }
}

void Side::flip(std::size_t level) {
    move(level);
    if (++flips_ > 8 * (table_.levels + 1024)) refresh();
}

void Side::move(std::size_t level) {
    const std::size_t k = table_.classes;
    const double* row = table_.counts + level * k;
    const double sign = right_[level] != 0 ? 1.0 : -1.0;
    if (form_ == WalkKind::gini) {
        const double by_total =
            level_product_.empty() ? dot(row, table_.total, k) : level_product_[level];
        // For the right side, whose sums are the total less these, the growth is this minus twice
        // by_total.
        const double by_left = add_row(left_.data(), row, sign, k);
        left_square_ += sign * by_left;
        right_square_ += sign * (by_left - 2.0 * by_total);
    } else {
        for (std::size_t j = 0; j < k; ++j) left_[j] += sign * row[j];
    }
    left_weight_ += sign * table_.weight[level];
    left_support_ += sign * table_.support[level];
    left_levels_ += right_[level] != 0 ? std::size_t{1} : ~std::size_t{0};
    right_[level] ^= 1;
}

// Makes the sums anew, because rounding adds up over thousands of moves.
void Side::refresh() {
    const std::vector<std::uint8_t> right = right_;
    all_right();
    for (std::size_t i = 0; i < right.size(); ++i) {
        if (right[i] == 0) move(i);
    }
}

double Side::power(double x) {
    return x > 0.0 ? x * std::log2(x) : 0.0;
}

double Side::estimate() const {
    const double right_weight = weight_ - left_weight_;
    // Next to a very light side, rounding matters.
    if (form_ == WalkKind::any || std::min(left_weight_, right_weight) < 1e-6 * weight_) {
        return std::numeric_limits<double>::infinity();
    }
    if (form_ == WalkKind::gini) {
        return (left_square_ / left_weight_ + right_square_ / right_weight) / weight_ -
               total_square_ / (weight_ * weight_);
    }
    double sum = 0.0;
    if (powers_.empty()) {
        for (std::size_t j = 0; j < table_.classes; ++j) {
            sum += power(left_[j]) + power(table_.total[j] - left_[j]);
        }
    } else {
        for (std::size_t j = 0; j < table_.classes; ++j) {
            sum += powers_[static_cast<std::size_t>(left_[j])] +
                   powers_[static_cast<std::size_t>(table_.total[j] - left_[j])];
        }
    }
    return impurity_ + (sum - power(left_weight_) - power(right_weight)) / weight_;
}

bool Side::offer(BestPartition& best) const {
    if (left_levels_ == 0 || left_levels_ == table_.levels) return false;
    if (estimate() + margin_ <= best.irrelevant()) {
        best.pass();
        return false;
    }
    return best.offer(left_.data(), left_support_);
}

}  // namespace ramify
