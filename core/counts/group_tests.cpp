#include "counts/group_tests.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "counts/tails.hpp"

namespace ramify {
namespace {

double of_classes(std::span<const double* const> groups, std::size_t classes, GroupTest test) {
    std::vector<double> by_class(classes, 0.0);
    std::vector<double> by_group(groups.size(), 0.0);
    double weight = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (std::size_t j = 0; j < classes; ++j) {
            by_class[j] += groups[g][j];
            by_group[g] += groups[g][j];
        }
        weight += by_group[g];
    }
    const auto present = [](const std::vector<double>& sums) {
        return static_cast<double>(
            std::count_if(sums.begin(), sums.end(), [](double s) { return s > 0.0; }));
    };
    const double df = (present(by_group) - 1.0) * (present(by_class) - 1.0);
    if (!(df > 0.0)) return 0.0;
    double statistic = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (std::size_t j = 0; j < classes; ++j) {
            const double expected = by_group[g] * by_class[j];  // times N
            if (!(expected > 0.0)) continue;
            const double observed = groups[g][j] * weight;
            if (test == GroupTest::pearson) {
                // The difference is taken before any division, so that groups with equal counts
                // differ by exactly zero.
                statistic += (observed - expected) / expected * ((observed - expected) / weight);
            } else if (observed > 0.0) {
                statistic += 2.0 * groups[g][j] * std::log(observed / expected);
            }
        }
    }
    // Logarithms round: groups with equal shares differ by that alone.
    constexpr double rounding = 1e-13;
    if (test != GroupTest::pearson && statistic < rounding * weight) statistic = 0.0;
    return log_chi_square_tail(statistic, df);
}

double of_numbers(std::span<const double* const> groups) {
    double weight = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    double present = 0.0;
    for (const double* group : groups) {
        weight += group[0];
        sum += group[1];
        squares += group[2];
        present += group[0] > 0.0 ? 1.0 : 0.0;
    }
    const double df1 = present - 1.0;
    const double df2 = weight - present;
    if (!(df1 > 0.0) || !(df2 > 0.0)) return 0.0;
    const double mean = sum / weight;
    double between = 0.0;
    for (const double* group : groups) {
        if (!(group[0] > 0.0)) continue;
        const double difference = group[1] / group[0] - mean;
        between += group[0] * difference * difference;
    }
    constexpr double rounding = 1e-13;
    const double total = squares - mean * sum;
    if (total <= rounding * squares) return 0.0;  // the target does not vary
    // Where the groups tell the target without error, only rounding is left within them.
    return log_f_tail(between, std::max(total - between, rounding * total), df1, df2);
}

}  // namespace

double log_p_of_groups(std::span<const double* const> groups, std::size_t width, GroupTest test) {
    return test == GroupTest::f ? of_numbers(groups) : of_classes(groups, width, test);
}

}  // namespace ramify
