// Mean and variance of the targets of a node, from its rows. Invariant: the mean lies between the
// least and the largest target, so equal targets give their value. The variance keeps its digits,
// however far from zero the targets lie.
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

// The only number x for which x - centre rounds to `rest`, if there is just one. Then no row need
// be looked up. x differs from the exact sum rest + centre by at most half a unit of `rest`, and
// the rounding error of that sum is known. If the neighbours of the sum are further away, the sum
// is x.
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
