// The order that predictions must keep: for a column, that of a class's share or of the mean.
// By deviance, the relative difference from the mean of all rows stands for the mean.
// A tree keeps it if at every split by such a column no leaf on the side that must not predict more
// predicts more than any leaf on the other side. Invariant: values are whole numbers, so that they
// are alike or not whatever the order of adding; they are rounded by less than 2^-40 of the range.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "optimal/questions/near_table.hpp"
#include "table/table.hpp"

namespace ramify::optimal::monotone {

using binary::Cover;
using binary::Word;
using Value = std::int64_t;

// By column of the table: 1 if the prediction never falls, -1 if it never rises, 0 if it is free,
// and the class whose share is meant.
struct Signs {
    std::vector<std::int32_t> sign, of_class;
};

// The lowest and the highest value of each output.
struct Range {
    std::vector<Value> low, high;

    static Range all(std::size_t outputs) {
        return {std::vector<Value>(outputs, std::numeric_limits<Value>::min()),
                std::vector<Value>(outputs, std::numeric_limits<Value>::max())};
    }
    bool holds(const Range& other) const {
        for (std::size_t o = 0; o < low.size(); ++o) {
            if (other.low[o] < low[o] || other.high[o] > high[o]) return false;
        }
        return true;
    }
    // Keeps what is at most `middle`, or what is above it.
    void halve(std::size_t output, Value middle, bool lower) {
        if (lower) {
            high[output] = std::min(high[output], middle);
        } else {
            low[output] = std::max(low[output], middle + 1);
        }
    }
    void include(const Range& other) {
        for (std::size_t o = 0; o < low.size(); ++o) {
            low[o] = std::min(low[o], other.low[o]);
            high[o] = std::max(high[o], other.high[o]);
        }
    }
};

class Order {
  public:
    Order(const near::NearTable& table, const Table& cells, const Signs& signs);

    std::size_t outputs() const { return outputs_.size(); }
    // Means are rounded, so that of a node may lie this far beyond those of its leaves.
    static constexpr Value slack = 4;
    // What a leaf of these rows predicts.
    Range of_rows(const Word* cover) const;
    // What a leaf of these sums predicts, as the range of one value per output.
    Range of_leaf(const double* sums) const;
    // Whether a question can be asked: its sides are in order, or its column has none.
    bool sound(std::size_t question) const { return sound_[question] != 0; }
    // The sign of a question at a node: 1 if the left side must not predict more. 0: the column is
    // free, or one side has no row whose value is known.
    int sign(std::size_t question, const Word* left, const Word* right) const;
    std::size_t output(std::size_t question) const { return output_of_[question]; }
    // That of a class, or of the mean. Throws std::invalid_argument if it has no order.
    std::size_t output_of_class(std::int32_t of_class) const;

  private:
    const near::NearTable& table_;
    std::vector<std::int32_t> outputs_;  // classes, or 0 for the mean
    std::vector<std::int8_t> sign_;      // by question
    std::vector<std::uint8_t> sound_;
    std::vector<std::size_t> output_of_;
    std::vector<std::int32_t> known_of_;  // the cover of known values, -1: all are known
    std::vector<Cover> known_;
    double scale_ = 1.0;
};

}  // namespace ramify::optimal::monotone
