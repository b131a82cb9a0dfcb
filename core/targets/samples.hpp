// What a row adds to the sums of a node: its class or its target, its weight, and the part of the
// row that is there. Invariant: entry e of any segment refers to sample row(e). A row that missing
// values spread over several branches is one sample per branch, and their fractions add up to that
// of the row.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "support/large_memory.hpp"
#include "targets/part_count.hpp"

namespace ramify {

struct Samples {
    explicit Samples(std::size_t of_classes = 0) : classes(of_classes) {}

    std::size_t classes;         // 0 in regression
    std::vector<double> weight;  // empty: every weight and support is 1
    // How a sample counts where a least number of rows is asked for: by its part of the row, or as
    // one.
    std::vector<double> support;
    std::vector<double> parts;   // how much of its row is there; empty: as much as its support
    bool equal_weights = false;  // no row was given a weight: a sample weighs its part
    LargeVector<double> target;  // regression only
    // A criterion by deviance: that of every row of the table from the mean of all; otherwise null.
    std::shared_ptr<const std::vector<double>> deviance;
    double mean = 0.0;                      // of all, if there are deviances
    std::shared_ptr<PartCount> part_count;  // null: divided rows are not counted
    // The row of the table that a sample belongs to; empty: the row of the same number.
    LargeVector<std::uint32_t> source;

    // Fractions are rounded to multiples of a power of two, the grain. It is large enough that all
    // their sums are exact, and too small to matter: 53 bits less those of the number of rows. Rows
    // that take no part are not counted, so that leaving them out changes nothing. Where rows weigh
    // differently, parts are not rounded: a branch of light rows may get very small ones.
    void set_grain(std::size_t rows) { grain_ = std::ldexp(1.0, std::bit_width(rows) - 52); }
    // Rounds a part of the fraction `rest` so that each of the `others` gets at least one grain.
    // The last part gets all that is left.
    double rounded(double part, double rest, std::size_t others) const {
        if (grain_ == 0.0) return part;
        if (others == 0) return rest;
        const double most = rest - static_cast<double>(others) * grain_;
        const double nearest = std::nearbyint(part / grain_) * grain_;
        return std::max(grain_, std::min(most, nearest));
    }

    double part(std::size_t sample) const {
        return parts.empty() ? support[sample] : parts[sample];
    }
    void set_part(std::size_t sample, double part) {
        (parts.empty() ? support : parts)[sample] = part;
    }

    std::uint32_t source_row(std::uint32_t sample) const {
        return source.empty() ? sample : source[sample];
    }

    // Class weights, or the moments sum w, sum wy, sum wy^2.
    std::size_t width() const { return classes > 0 ? classes : 3; }

  private:
    double grain_ = 0.0;
};

}  // namespace ramify
