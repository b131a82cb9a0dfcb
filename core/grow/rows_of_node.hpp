// Mean and variance of the targets of a node from its rows, as they were given. Invariant: the mean
// lies between the least and the largest of them, so that of equal ones it is their value; and the
// variance keeps its digits however far from zero they lie.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace ramify {

struct NodeRows {
    std::vector<double> target;
    std::vector<double> weight;  // empty: all 1

    void clear() {
        target.clear();
        weight.clear();
    }
};

struct MeanAndVariance {
    double mean;
    double variance;
};

MeanAndVariance mean_and_variance(const NodeRows& rows);

// The one number that becomes `rest` when `centre` is taken off it, if there is only one: then no
// row need be asked for it. It is off the exact sum of the two by half a unit of `rest` at most,
// and what the sum loses to rounding is known; a number next to the sum would be further away.
inline std::optional<double> restored(double rest, double centre) {
    const auto leading_bit = [](double x) {
        constexpr std::uint64_t exponent = std::uint64_t{0x7ff} << 52;
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & exponent);
    };
    const double sum = rest + centre;
    const double added = sum - rest;
    const double lost = (rest - (sum - added)) + (centre - added);
    const double unit = leading_bit(sum) == std::abs(sum) ? 0x1p-53 : 0x1p-52;
    if (leading_bit(rest) * 0x1p-53 + std::abs(lost) < leading_bit(sum) * unit) return sum;
    return std::nullopt;
}

}  // namespace ramify
