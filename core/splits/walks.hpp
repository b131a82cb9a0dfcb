// Walks: the left side of a threshold grows entry by entry and knows at any point whether it is the
// best so far. Invariant: after add() of the entries of a prefix, better() compares that prefix
// with the best accepted one, and two candidates whose gains differ by less than `tie_tolerance`
// times the node's impurity tie: the earlier one stays.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "criteria/criterion.hpp"
#include "grow/samples.hpp"

namespace ramify {

inline constexpr double tie_tolerance = 1e-11;

template <typename W, typename Word>
concept ThresholdWalk = requires(W walk, Word entry, const double* sums, double support) {
    walk.add(entry);
    walk.add_block(sums, support);
    { walk.better() } -> std::convertible_to<bool>;
    walk.accept();
    { walk.gain() } -> std::convertible_to<double>;
};

// A walk that can tell of a whole block of entries that no cut inside it beats the best so far, and
// step over it.
template <typename W, typename Word>
concept SkippingWalk = requires(W walk, const Word* entries, std::size_t size) {
    { walk.block_size() } -> std::convertible_to<std::size_t>;
    { walk.skip(entries, size) } -> std::convertible_to<bool>;
};

// A walk that reads memory of its own for every entry.
template <typename W, typename Word>
concept PrefetchingWalk = requires(const W walk, Word entry) { walk.prefetch(entry); };

// What a walk starts from: the sums of all rows it is about.
struct WalkTotal {
    const double* sums;
    double weight;
    double support;
    double scale;
    double min_leaf;
};

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
          margin_(tie_tolerance * total.scale / scale_) {}

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

    // The gain is convex in (rows, rows of the second class) on the left, and within a block that
    // point stays inside the parallelogram of "ones first" and "zeros first": if no corner beats
    // the best, nothing inside does.
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

  private:
    bool above(std::int64_t d, std::int64_t i) const {
        const double real = static_cast<double>(d);
        return real * real > threshold_ * static_cast<double>(i * (n_ - i));
    }

    std::int64_t n_, second_, min_leaf_;
    double scale_, margin_;
    std::int64_t d_ = 0, i_ = 0;
    double best_ = -1.0, threshold_ = -1.0;
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

  private:
    double n_, min_leaf_;
    std::int64_t* left_;
    std::int64_t* total_;
    std::size_t classes_ = 0;
    std::int64_t squares_left_ = 0, squares_right_ = 0;
    double whole_ = 0.0, margin_ = 0.0, i_ = 0.0;
    double best_ = -1.0, threshold_ = -1.0;
};

// A walk over the rows of a contingency table, many entries at a time.
template <typename W>
concept CellWalk =
    requires(W walk, const std::uint32_t* counts, double rows) { walk.add_cells(counts, rows); };

// GiniWalk for those: the sums of squares are made anew at every row of the table, four classes at
// a time.
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

  private:
    double n_, min_leaf_, margin_;
    std::size_t classes_;
    const double* total_;
    double* left_;
    double squares_ = 0.0, squares_left_ = 0.0, squares_right_ = 0.0, i_ = 0.0;
    double best_ = -1.0, threshold_ = -1.0;
};

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

// Any criterion on class weights, weighted or not: the score is worked out at every candidate.
template <typename P>
class CriterionWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    CriterionWalk(const WalkTotal& total, const Samples& samples, const Criterion& criterion,
                  std::vector<double>& scratch)
        : total_(total), samples_(&samples), criterion_(&criterion), classes_(samples.classes) {
        scratch.assign(2 * classes_, 0.0);
        left_ = scratch.data();
    }
    void add(Word entry) {
        left_[P::Layout::label(entry)] += P::weight(*samples_, entry);
        i_ += P::fraction(*samples_, entry);
    }
    void add_block(const double* sums, double support) {
        for (std::size_t j = 0; j < classes_; ++j) left_[j] += sums[j];
        i_ += support;
    }
    bool better() {
        const double least = std::max(total_.min_leaf - support_slack, support_slack);
        if (i_ < least || total_.support - i_ < least) return false;
        for (std::size_t j = 0; j < classes_; ++j) {
            // What rounding leaves of a class that is all on the left counts as nothing.
            const double rest = total_.sums[j] - left_[j];
            left_[classes_ + j] = rest > total_.sums[j] * 1e-13 ? rest : 0.0;
        }
        last_ = criterion_->score({total_.sums, left_, 2, classes_});
        return last_ > threshold_;
    }
    void accept() {
        best_ = last_;
        const double scale = std::isfinite(total_.scale) ? total_.scale : std::abs(best_);
        threshold_ = best_ + tie_tolerance * scale;
    }
    double gain() const { return best_; }

  private:
    // Fractions are sums of shares: a child of "five rows" may hold 4.999999999.
    static constexpr double support_slack = 1e-9;
    WalkTotal total_;
    const Samples* samples_;
    const Criterion* criterion_;
    std::size_t classes_;
    double* left_;
    double i_ = 0.0, last_ = 0.0;
    double best_ = -std::numeric_limits<double>::infinity(), threshold_ = best_;
};

// Variance reduction. With targets taken about the node's mean the sums of the two sides are
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
          margin_(tie_tolerance * total.scale) {}

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
            i_ += P::fraction(*samples_, entry);
        } else {
            sum_ += y;
            left_ += 1.0;
        }
    }
    // The gain is convex in (rows, sum) on the left, and within a block that point stays inside the
    // box of all rows by "positive targets only" and "negative targets only": if no corner beats
    // the best, nothing inside does.
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
        if (square > threshold_ * product) return false;
        sum_ += all;
        left_ = after;
        return true;
    }
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

  private:
    const Samples* samples_;
    const double* target_;
    double weight_, support_, min_leaf_, mean_, margin_;
    double sum_ = 0.0, left_ = 0.0, i_ = 0.0;
    double best_ = -1.0, threshold_ = -1.0;
};

}  // namespace ramify
