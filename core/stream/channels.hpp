// What a row adds to a cell of a contingency table, in whole numbers. Without weights, a row adds
// its part to the channel of its class. Otherwise it adds limbs (see fixed.hpp): its part, then its
// weight to its class or, for numbers, its weight and the moments of its target. Where parts of
// rows count as rows (pieces), a part adds one in place of its size, and at the end, whether it is
// too light to be divided. Invariant: cells of any parts of a table, added up in any order, are the
// cells of the table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stream/fixed.hpp"

namespace ramify {

// The sizes that numbers stay below, as powers of two.
struct ChannelSizes {
    int weight = 1, product = 1, square = 1, deviance = 1;
};

// How deviances are added up, for criteria that need them.
enum class DevianceKind : std::uint8_t { none, poisson, gamma };

struct StreamRow {
    double part = 1.0;
    std::uint32_t label = 0;  // of its class
    double target = 0.0;      // minus the centre
    double weight = 1.0;      // of the whole row
};

// Whether parts of rows count as rows, and below which size they are not divided.
struct Pieces {
    bool count = false;
    double least = 0.0;
};

class Channels {
  public:
    Channels() = default;
    // `classes`: 0 for numbers. `unit`: parts of rows are multiples of 1 / unit, if no row has a
    // weight.
    Channels(std::size_t classes, bool weighted, double unit, const ChannelSizes& sizes,
             const Pieces& pieces)
        : classes_(classes),
          weighted_(weighted || pieces.count),
          unit_(unit),
          pieces_(pieces),
          part_(1),
          weight_(sizes.weight),
          product_(sizes.product),
          square_(sizes.square) {}

    std::size_t classes() const { return classes_; }
    bool unweighted() const { return !weighted_; }
    bool plain() const { return classes_ > 0 && !weighted_; }
    // A cell holds a number of rows for every class.
    bool counts_rows() const { return plain() && unit_ == 1.0; }
    std::size_t width() const { return classes_ > 0 ? classes_ : 3; }
    // Channels per cell.
    std::size_t count() const {
        if (plain()) return classes_;
        const std::size_t light = pieces_.count ? 1 : 0;
        if (classes_ > 0) return Fixed::limbs * (1 + classes_) + light;
        return Fixed::limbs * (weighted_ ? 4 : 3) + light;
    }

    // Writes what a row adds. Plain classes are added by `units` instead.
    void write(const StreamRow& row, std::int64_t* to) const {
        std::fill_n(to, count(), std::int64_t{0});
        if (plain()) {
            to[row.label] = units(row.part);
            return;
        }
        part_.split(pieces_.count ? 1.0 : row.part, to);
        if (pieces_.count && row.part < pieces_.least) to[count() - 1] = 1;
        const double weight = row.weight * row.part;
        if (classes_ > 0) {
            weight_.split(weight, to + Fixed::limbs * (1 + row.label));
            return;
        }
        std::int64_t* next = to + Fixed::limbs;
        if (weighted_) {
            weight_.split(weight, next);
            next += Fixed::limbs;
        }
        product_.split(weight * row.target, next);
        square_.split(weight * row.target * row.target, next + Fixed::limbs);
    }
    std::int64_t units(double part) const { return static_cast<std::int64_t>(part * unit_); }

    // The sums that a cell holds, as nodes keep them: class weights, or moments.
    void sums(const std::int64_t* cell, double* to) const {
        if (plain()) {
            for (std::size_t j = 0; j < classes_; ++j) to[j] = static_cast<double>(cell[j]) / unit_;
            return;
        }
        if (classes_ > 0) {
            for (std::size_t j = 0; j < classes_; ++j)
                to[j] = weight_.value(cell + Fixed::limbs * (1 + j));
            return;
        }
        const std::int64_t* next = cell + Fixed::limbs;
        if (weighted_) {
            to[0] = weight_.value(next);
            next += Fixed::limbs;
        } else {
            to[0] = part_.value(cell);
        }
        to[1] = product_.value(next);
        to[2] = square_.value(next + Fixed::limbs);
    }
    double support(const std::int64_t* cell) const {
        if (!plain()) return part_.value(cell);
        std::int64_t sum = 0;
        for (std::size_t j = 0; j < classes_; ++j) sum += cell[j];
        return static_cast<double>(sum) / unit_;
    }
    // Of the rows in a cell, those that would be divided as rows of their own: 0 unless pieces
    // count.
    double divided(const std::int64_t* cell) const {
        return pieces_.count ? support(cell) - static_cast<double>(cell[count() - 1]) : 0.0;
    }
    // Every row adds to its part, so a cell without parts has no rows.
    bool empty(const std::int64_t* cell) const {
        const std::size_t first = plain() ? classes_ : Fixed::limbs;
        return std::all_of(cell, cell + first, [](std::int64_t n) { return n == 0; });
    }

  private:
    std::size_t classes_ = 0;
    bool weighted_ = false;
    double unit_ = 1.0;
    Pieces pieces_;
    Fixed part_, weight_, product_, square_;
};

}  // namespace ramify
