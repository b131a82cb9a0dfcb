// The statistics of a node: the sums over its rows, and what follows from them. Invariant: the sums
// hold what every row of the node adds by its target; `impurity`, `scale` and `prediction` are set
// once all rows are added (grow/finish.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "targets/target.hpp"

namespace ramify {

struct NodeStats {
    std::vector<double> sums;
    double weight = 0.0;
    double support = 0.0;  // of its samples
    std::int64_t rows = 0;
    double low = std::numeric_limits<double>::infinity();  // range of the target
    double high = -std::numeric_limits<double>::infinity();
    double deviance = 0.0;  // from the mean of all rows, if the criterion asks for it
    double impurity = 0.0;
    double scale = 0.0;  // the scale of gains at the node
    double prediction = 0.0;
    // Standard deviation of the target, where the impurity is another measure.
    double spread = std::numeric_limits<double>::quiet_NaN();

    void clear(std::size_t width) {
        sums.assign(width, 0.0);
        weight = support = impurity = scale = prediction = deviance = 0.0;
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
            // Few criteria ask for it, and this is the innermost loop of all the others.
            if (samples.deviance) [[unlikely]]
                add_deviance<P>(samples, entry);
        }
        ++rows;
    }

    // Adds entries one after the other. The sums stay in registers.
    template <typename P>
    void add_all(const Samples& samples, const typename P::Word* entries, std::size_t count) {
        if constexpr (P::classification || P::weighted) {
            for (std::size_t i = 0; i < count; ++i) add<P>(samples, entries[i]);
        } else {
            double sum = sums[1], squares = sums[2], least = low, most = high;
            for (std::size_t i = 0; i < count; ++i) {
                const double y = samples.target[P::Layout::row(entries[i])];
                sum += y;
                squares += y * y;
                least = std::min(least, y);
                most = std::max(most, y);
            }
            sums[0] += static_cast<double>(count);
            sums[1] = sum;
            sums[2] = squares;
            low = least;
            high = most;
            rows += static_cast<std::int64_t>(count);
            for (std::size_t i = 0; samples.deviance && i < count; ++i)
                add_deviance<P>(samples, entries[i]);
        }
    }

    template <typename P>
    void finish() {
        weight = P::weight_of(sums.data(), sums.size());
        if constexpr (!P::weighted) support = static_cast<double>(rows);
    }

    template <typename P>
    void add_deviance(const Samples& samples, typename P::Word entry) {
        const std::uint32_t row = samples.source_row(P::Layout::row(entry));
        deviance += P::weight(samples, entry) * (*samples.deviance)[row];
    }

    bool pure(bool classification) const {
        if (!classification) return !(low < high);
        return std::count_if(sums.begin(), sums.end(), [](double s) { return s > 0.0; }) <= 1;
    }
};

}  // namespace ramify
