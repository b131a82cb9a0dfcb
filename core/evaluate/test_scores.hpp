// The numbers of a column as a test of independence reads them. Invariant: they ascend with the
// values, and all are finite.
#pragma once

#include <cmath>
#include <cstddef>

namespace ramify {

// The numbers of a column, shifted so that rounding matters least and scaled to a range of one. The
// tests do not depend on shift or scale. Infinities are placed beyond the finite values, at a
// distance of their range.
class TestScores {
  public:
    TestScores(double low, double high, double middle) : low_(low), high_(high), middle_(middle) {}

    double operator()(double x) const {
        if (std::isinf(x)) return x > 0 ? finite(high_) + 1.0 : finite(low_) - 1.0;
        return finite(x);
    }
    // From the values at places 0 .. count - 1, which ascend.
    template <typename Value>
    static TestScores of(std::size_t count, double middle, Value&& value) {
        std::size_t first = 0;
        std::size_t last = count;
        while (first < count && std::isinf(value(first))) ++first;
        while (last > first && std::isinf(value(last - 1))) --last;
        if (first == last) return {0.0, 0.0, 0.0};
        const double low = value(first);
        return {low, value(last - 1), std::isinf(middle) ? low : middle};
    }

  private:
    double finite(double x) const {
        const double half_range = high_ / 2 - low_ / 2;
        return half_range > 0.0 ? (x / 2 - middle_ / 2) / half_range : 0.0;
    }
    double low_, high_, middle_;
};

}  // namespace ramify
