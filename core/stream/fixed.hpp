// Sums of real numbers that do not depend on the order of addition. A number is rounded to a
// multiple of 2^(exponent - 62) and kept in two limbs of 31 bits; limbs are whole numbers, and
// these add up exactly. Invariant: every number is below 2^exponent in size, and there are fewer
// than 2^31 of them, so that no limb overflows.
#pragma once

#include <cmath>
#include <cstdint>

namespace ramify {

class Fixed {
  public:
    static constexpr std::size_t limbs = 2;

    Fixed() = default;
    explicit Fixed(int exponent)
        : up_(std::ldexp(1.0, 31 - exponent)), down_(std::ldexp(1.0, exponent - 62)) {}

    // Writes the limbs of a number.
    void split(double number, std::int64_t* to) const {
        const double scaled = number * up_;
        const double high = std::floor(scaled);
        to[0] = static_cast<std::int64_t>(high);
        to[1] = static_cast<std::int64_t>(std::nearbyint((scaled - high) * 0x1p31));
    }
    // The sum that the limbs hold, rounded once.
    double value(const std::int64_t* from) const {
        const std::int64_t carry = from[1] >> 31;
        const std::int64_t low = from[1] - carry * (std::int64_t{1} << 31);
        const std::int64_t high = from[0] + carry;
        const std::int64_t top = high >> 31;
        const std::int64_t middle = high - top * (std::int64_t{1} << 31);
        const double rest = static_cast<double>(middle) * 0x1p31 + static_cast<double>(low);
        return (static_cast<double>(top) * 0x1p62 + rest) * down_;
    }

  private:
    double up_ = 1.0, down_ = 1.0;
};

}  // namespace ramify
