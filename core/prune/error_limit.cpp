#include "prune/error_limit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ramify {
namespace {

// By bisection: it is needed once per pruning, and erfc is exact to the last digits.
double upper_normal_quantile(double tail) {
    double low = 0.0;
    double high = 40.0;  // where erfc is zero
    while (true) {
        const double middle = 0.5 * (low + high);
        if (!(low < middle && middle < high)) return middle;
        const double above = 0.5 * std::erfc(middle / std::numbers::sqrt2);
        (above > tail ? low : high) = middle;
    }
}

}  // namespace

ErrorLimit::ErrorLimit(double confidence)
    : confidence_(confidence), deviate_(upper_normal_quantile(confidence)) {}

// Quinlan 1993, section 4.2, as Witten and Frank's J48 computes it (Stats.addErrs).
double ErrorLimit::added(double cases, double errors) const {
    if (errors < 1.0) {
        // Without errors in N cases, the limit p solves (1 - p)^N = confidence. Up to one error,
        // the limit is interpolated.
        const double none = -cases * std::expm1(std::log(confidence_) / cases);
        return errors > 0.0 ? none + errors * (added(cases, 1.0) - none) : none;
    }
    if (errors + 0.5 >= cases) return std::max(cases - errors, 0.0);
    // Wilson's interval with a continuity correction.
    const double n = cases;
    const double z = deviate_;
    const double f = (errors + 0.5) / n;
    const double root = std::sqrt(f / n - f * f / n + z * z / (4.0 * n * n));
    const double rate = (f + z * z / (2.0 * n) + z * root) / (1.0 + z * z / n);
    return rate * n - errors;
}

}  // namespace ramify
