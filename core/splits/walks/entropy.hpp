// Information gain by counts of rows, in fixed point. Invariant: that of walk.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "splits/walks/walk.hpp"

namespace ramify {

// c log2(c) for whole counts, in fixed point, so that a running sum of thousands of them stays
// exact.
class LogTable {
  public:
    explicit LogTable(std::size_t rows) : table_(rows + 1) {
        const double largest =
            static_cast<double>(rows) * std::log2(static_cast<double>(rows) + 2.0);
        bits_ = 61 - static_cast<int>(std::ceil(std::log2(largest + 2.0)));
        for (std::size_t c = 1; c <= rows; ++c) {
            const double count = static_cast<double>(c);
            table_[c] = std::llround(std::ldexp(count * std::log2(count), bits_));
        }
    }
    std::int64_t operator[](std::int64_t count) const {
        return table_[static_cast<std::size_t>(count)];
    }
    double value(std::int64_t fixed) const {
        return std::ldexp(static_cast<double>(fixed), -bits_);
    }
    std::int64_t fixed(double value) const { return std::llround(std::ldexp(value, bits_)); }

  private:
    std::vector<std::int64_t> table_;
    int bits_;
};

// Information gain, unweighted: n times it is T(left) + T(right) - T(node), T = sum_j f(c_j) -
// f(n), f(c) = c log2 c.
template <typename Layout>
class EntropyWalk {
  public:
    using Word = typename Layout::Word;
    static constexpr bool cheap = false;
    EntropyWalk(const WalkTotal& total, std::size_t classes, const LogTable& logs,
                std::vector<std::int64_t>& scratch)
        : log_table_(&logs),
          n_(static_cast<std::int64_t>(total.support)),
          min_leaf_(static_cast<std::int64_t>(std::ceil(std::max(1.0, total.min_leaf)))),
          classes_(classes) {
        scratch.assign(2 * classes, 0);
        left_ = scratch.data();
        right_ = left_ + classes;
        for (std::size_t j = 0; j < classes; ++j) {
            right_[j] = static_cast<std::int64_t>(total.sums[j]);
            sum_ += f(right_[j]);
        }
        whole_ = sum_ - f(n_);
        margin_ = std::max<std::int64_t>(
            1, log_table_->fixed(tie_tolerance * total.scale * static_cast<double>(n_)));
    }
    void add(Word entry) {
        const std::uint32_t j = Layout::label(entry);
        sum_ += f(left_[j] + 1) - f(left_[j]) + f(right_[j] - 1) - f(right_[j]);
        ++left_[j];
        --right_[j];
        ++i_;
    }
    void add_block(const double* sums, double support) {
        for (std::size_t j = 0; j < classes_; ++j) {
            const auto count = static_cast<std::int64_t>(sums[j]);
            sum_ += f(left_[j] + count) - f(left_[j]) + f(right_[j] - count) - f(right_[j]);
            left_[j] += count;
            right_[j] -= count;
        }
        i_ += static_cast<std::int64_t>(support);
    }
    bool better() const {
        return i_ >= min_leaf_ && n_ - i_ >= min_leaf_ && sum_ - f(i_) - f(n_ - i_) > threshold_;
    }
    void accept() {
        best_ = sum_ - f(i_) - f(n_ - i_);
        threshold_ = best_ + margin_;
        found_ = true;
    }
    double gain() const {
        return found_ ? std::max(0.0, log_table_->value(best_ - whole_) / static_cast<double>(n_))
                      : -1.0;
    }
    double left_weight() const { return static_cast<double>(i_); }
    double left_sum(std::size_t place) const { return static_cast<double>(left_[place]); }

  private:
    std::int64_t f(std::int64_t count) const { return (*log_table_)[count]; }
    const LogTable* log_table_;
    std::int64_t n_, min_leaf_;
    std::size_t classes_;
    std::int64_t* left_;
    std::int64_t* right_;
    std::int64_t sum_ = 0, whole_ = 0, margin_ = 0, i_ = 0;
    std::int64_t best_ = 0, threshold_ = std::numeric_limits<std::int64_t>::min();
    bool found_ = false;
};

}  // namespace ramify
