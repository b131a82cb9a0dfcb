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
#include <limits>
#include <type_traits>
#include <vector>

#include "node/entry.hpp"
#include "support/large_memory.hpp"

namespace ramify {

struct Samples {
    std::size_t classes = 0;     // 0 in regression
    std::vector<double> weight;  // empty: every weight and support is 1
    // How a sample counts where a least number of rows is asked for: by its part of the row, or as
    // one.
    std::vector<double> support;
    std::vector<double> parts;   // how much of its row is there; empty: as much as its support
    bool equal_weights = false;  // no row was given a weight: a sample weighs its part
    LargeVector<double> target;  // regression only
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

    // Class weights, or the moments sum w, sum wy, sum wy^2.
    std::size_t width() const { return classes > 0 ? classes : 3; }

  private:
    double grain_ = 0.0;
};

// The kind of problem, fixed at compile time so that the inner loops decide nothing.
template <typename Layout_, bool weighted_, bool classification_>
struct Policy {
    using Layout = Layout_;
    using Word = typename Layout::Word;
    static constexpr bool weighted = weighted_;
    static constexpr bool classification = classification_;
    // A cell in the contingency table of a coded column: a count of rows, or a sum of weights.
    using Cell = std::conditional_t<weighted, double, std::uint32_t>;

    static double weight(const Samples& samples, Word entry) {
        if constexpr (weighted) return samples.weight[Layout::row(entry)];
        return 1.0;
    }
    static double support(const Samples& samples, Word entry) {
        if constexpr (weighted) return samples.support[Layout::row(entry)];
        return 1.0;
    }
    static void add(const Samples& samples, Word entry, double* sums) {
        const double w = weight(samples, entry);
        if constexpr (classification) {
            sums[Layout::label(entry)] += w;
        } else {
            const double y = samples.target[Layout::row(entry)];
            sums[0] += w;
            sums[1] += w * y;
            sums[2] += w * y * y;
        }
    }
};

// The statistics of a node.
struct NodeStats {
    std::vector<double> sums;
    double weight = 0.0;
    double support = 0.0;  // of its samples
    std::int64_t rows = 0;
    double low = std::numeric_limits<double>::infinity();  // range of the target
    double high = -std::numeric_limits<double>::infinity();
    double impurity = 0.0;
    double scale = 0.0;  // the scale of gains at the node
    double prediction = 0.0;
    // Standard deviation of the target, where the impurity is another measure.
    double spread = std::numeric_limits<double>::quiet_NaN();

    void clear(std::size_t width) {
        sums.assign(width, 0.0);
        weight = support = impurity = scale = prediction = 0.0;
        rows = 0;
        low = std::numeric_limits<double>::infinity();
        high = -low;
    }

    template <typename P>
    void add(const Samples& samples, typename P::Word entry) {
        P::add(samples, entry, sums.data());
        if constexpr (P::weighted) support += P::support(samples, entry);
        if constexpr (!P::classification) {
            const double y = samples.target[P::Layout::row(entry)];
            low = std::min(low, y);
            high = std::max(high, y);
        }
        ++rows;
    }

    template <typename P>
    void finish() {
        if constexpr (P::classification) {
            weight = 0.0;
            for (const double sum : sums) weight += sum;
        } else {
            weight = sums[0];
        }
        if constexpr (!P::weighted) support = static_cast<double>(rows);
    }

    bool pure(bool classification) const {
        if (!classification) return !(low < high);
        return std::count_if(sums.begin(), sums.end(), [](double s) { return s > 0.0; }) <= 1;
    }
};

}  // namespace ramify
