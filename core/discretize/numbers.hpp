// A numeric target for the discretisers: the blocks of a column, the gain of a cut by the variance,
// and whether the gain pays. Invariant: sums are whole multiples of 2^-60 of the scale of the
// weights times the scale of the target, so that they do not depend on the order of the rows.
// Neighbouring values share a block exactly if all their rows have the same target.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "discretize/best_cut.hpp"
#include "discretize/blocks.hpp"

namespace ramify {

struct NumberedTable {
    const Table& table;
    std::span<const double> target;   // of every row, finite
    std::span<const double> weights;  // of the rows; empty if all weigh 1
};

// Throws std::invalid_argument if target or weights do not fit the table.
void check(const NumberedTable& data);

// The weight, the weighted target and its square, of some rows.
struct NumberEntry {
    std::int64_t mass = 0, sum = 0, square = 0;
    void operator+=(const NumberEntry& other) {
        mass += other.mass;
        sum += other.sum;
        square += other.square;
    }
    void operator-=(const NumberEntry& other) {
        mass -= other.mass;
        sum -= other.sum;
        square -= other.square;
    }
};

// The target minus its mean, as a share of a power of two that no row exceeds. Weights are shares
// of 2^exponent of the masses.
class Numbers {
  public:
    Numbers(const NumberedTable& data, const Masses& masses);

    const NumberEntry& operator[](std::size_t row) const { return rows_[row]; }
    double weight(const NumberEntry& entry) const {
        return share_ * static_cast<double>(entry.mass);
    }
    double repeated(const NumberEntry& entry) const {
        return unit_ * static_cast<double>(entry.mass);
    }
    static double sum(const NumberEntry& entry) { return 0x1p-60 * static_cast<double>(entry.sum); }

    // The squared error about the mean of these rows, to 2^-50 of their weight.
    double squared_error(const NumberEntry& entry) const;

    // A power of two above the squared error of all rows, and its value divided by their weight.
    double spread() const { return spread_; }
    double variance() const { return variance_; }

  private:
    static constexpr int sum_bits = 60;
    NumberEntry about(const NumberedTable& data, const Masses& masses, double centre, int reach);
    int exponent_;
    double share_, unit_;  // a mass of 1 as a share of the scale of the weights, and in rows
    std::vector<NumberEntry> rows_;
    double spread_ = 1.0;
    double variance_ = 0.0;
};

using NumberBlocks = BlocksOf<NumberEntry>;  // one entry a block

NumberBlocks find_blocks(const NumberedTable& data, std::size_t column, const Numbers& numbers);

// The squared error of the two sides of a cut that moves upwards, like EntropySides; in shares of
// the spread.
class VarianceSides {
  public:
    explicit VarianceSides(const Numbers& numbers) : numbers_(&numbers) {}

    void start(std::span<const NumberEntry> all) {
        left_ = right_ = {};
        for (const NumberEntry& entry : all) right_ += entry;
    }
    void move(std::span<const NumberEntry> block) {
        for (const NumberEntry& entry : block) {
            left_ += entry;
            right_ -= entry;
        }
    }
    // What two means explain beyond one, computed from their difference, which avoids cancellation.
    bool gains(std::int64_t enough, std::int64_t& gain) const {
        const double left = numbers_->weight(left_), right = numbers_->weight(right_);
        const double apart = Numbers::sum(left_) / left - Numbers::sum(right_) / right;
        const double drop = left / (left + right) * right * (apart * apart);
        gain = to_fixed(drop / numbers_->spread());
        return gain >= enough;
    }
    void finish(std::span<const NumberEntry>) {}

  private:
    const Numbers* numbers_;
    NumberEntry left_, right_;
};

// Whether two means tell the target in fewer bits than one. They save N/2 log2(V / V'), where V and
// V' are the variances that one and two means leave, with N - 1 and N - 2 degrees of freedom. The
// place of the cut costs log2(N - 1), the second mean log2(N) / 2.
class NumberMdl {
  public:
    explicit NumberMdl(const Numbers& numbers) : numbers_(&numbers) {}

    bool accepts(const NumberBlocks& blocks, const BlockCut& cut) const {
        const NumberEntry low = total(blocks(cut.begin, cut.at));
        const NumberEntry high = total(blocks(cut.at, cut.end));
        NumberEntry whole = low;
        whole += high;
        const double n = numbers_->repeated(whole);
        if (!(n > 2.0)) return false;
        // Anything less is rounding.
        const double least = 0x1p-50 * numbers_->weight(whole);
        const double one = std::max(least, numbers_->squared_error(whole));
        const double two =
            std::max(least, numbers_->squared_error(low) + numbers_->squared_error(high));
        const double saved = n / 2.0 * std::log2(one / (n - 1.0) / (two / (n - 2.0)));
        return saved > std::log2(n - 1.0) + std::log2(n) / 2.0;
    }

  private:
    static NumberEntry total(std::span<const NumberEntry> entries) {
        NumberEntry sums;
        for (const NumberEntry& entry : entries) sums += entry;
        return sums;
    }
    const Numbers* numbers_;
};

}  // namespace ramify
