// Random numbers that are the same on every machine: splitmix64 (Steele, Lea and Flood 2014), and
// normal deviates by the polar method with a logarithm of our own. Invariant: only integer
// arithmetic and operations that IEEE 754 rounds exactly are used.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>

namespace ramify {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    // In [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    // All orders are equally likely, up to an error of 2^-32 times the number of values. There are
    // fewer than 2^32 values.
    template <typename T>
    void shuffle(std::span<T> values) {
        for (std::uint64_t left = values.size(); left > 1; --left) {
            const std::uint64_t place = ((next() >> 32) * left) >> 32;
            std::swap(values[left - 1], values[place]);
        }
    }

    double normal() {
        if (spare_) {
            spare_ = false;
            return second_;
        }
        double x = 0.0, y = 0.0, square = 0.0;
        do {
            x = 2.0 * uniform() - 1.0;
            y = 2.0 * uniform() - 1.0;
            square = x * x + y * y;
        } while (square >= 1.0 || square <= 0.0);
        const double factor = std::sqrt(-2.0 * logarithm(square) / square);
        second_ = y * factor;
        spare_ = true;
        return x * factor;
    }

  private:
    // log m + e log 2 with m near 1: log m = 2 artanh((m - 1) / (m + 1)). Libraries differ in the
    // last bit of std::log.
    static double logarithm(double x) {
        int exponent = 0;
        double mantissa = std::frexp(x, &exponent);
        if (mantissa < std::numbers::sqrt2 / 2) {
            mantissa *= 2.0;
            --exponent;
        }
        const double ratio = (mantissa - 1.0) / (mantissa + 1.0);
        const double square = ratio * ratio;
        double series = 0.0;
        for (int term = 23; term >= 1; term -= 2) series = series * square + 1.0 / term;
        return 2.0 * ratio * series + exponent * std::numbers::ln2;
    }

    std::uint64_t state_;
    double second_ = 0.0;
    bool spare_ = false;
};

}  // namespace ramify
