#include "select/conditional_inference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "counts/tails.hpp"

namespace ramify {

double log_p_value(const Candidate* candidates, std::size_t count, std::size_t attribute,
                   const GrowParameters& parameters) {
    const double log_p = candidates[attribute].test.log_p;
    if (!parameters.bonferroni || parameters.selection == Selection::chaid) return log_p;
    const auto tested = std::count_if(candidates, candidates + count,
                                      [](const Candidate& c) { return c.test.tested; });
    return log_adjusted(log_p, static_cast<double>(tested));
}

double smallest_log_p(const Candidate* candidates, std::size_t count,
                      const GrowParameters& parameters) {
    std::size_t best = count;
    for (std::size_t c = 0; c < count; ++c) {
        const IndependenceTest& test = candidates[c].test;
        if (test.tested && (best == count || test.log_p < candidates[best].test.log_p)) best = c;
    }
    return best == count ? std::numeric_limits<double>::quiet_NaN()
                         : log_p_value(candidates, count, best, parameters);
}

std::int32_t select_by_inference(const Candidate* candidates, std::size_t count,
                                 const std::vector<bool>& refused,
                                 const GrowParameters& parameters) {
    std::size_t best = count;
    for (std::size_t c = 0; c < count; ++c) {
        const IndependenceTest& test = candidates[c].test;
        if (!test.tested || refused[c]) continue;
        // Log p-values that differ by rounding alone are equal: a column and its multiple give the
        // same test.
        const double slack =
            best == count ? 0.0 : 1e-10 * std::abs(candidates[best].test.log_p) + 1e-14;
        if (best == count || test.log_p < candidates[best].test.log_p - slack) best = c;
    }
    if (best == count) return -1;
    const double log_p = log_p_value(candidates, count, best, parameters);
    return log_p <= std::log(parameters.alpha) ? static_cast<std::int32_t>(best) : -1;
}

}  // namespace ramify
