#include "counts/independence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "counts/tails.hpp"

namespace ramify {
namespace {

IndependenceTest finished(double weight, double share, double df) {
    IndependenceTest test;
    if (!(df > 0.0) || !std::isfinite(share)) return test;
    test.tested = true;
    test.weight = weight;
    test.df = df;
    test.statistic = std::max(0.0, (weight - 1.0) * share);
    test.log_p = log_chi_square_tail(test.statistic, df);
    return test;
}

// SSB / SST of groups, given their weights and sums, and the sum of squares over all of them.
IndependenceTest test_groups(const double* weights, const double* sums, double squares,
                             std::size_t groups) {
    const double weight = std::accumulate(weights, weights + groups, 0.0);
    const double mean = std::accumulate(sums, sums + groups, 0.0) / weight;
    double between = 0.0;
    double present = 0.0;
    for (std::size_t g = 0; g < groups; ++g) {
        if (!(weights[g] > 0.0)) continue;
        const double difference = sums[g] / weights[g] - mean;
        between += weights[g] * difference * difference;
        present += 1.0;
    }
    const double total = squares - weight * mean * mean;
    // Within the groups, only rounding may be left.
    return finished(weight, std::min(1.0, between / total), total > 0.0 ? present - 1.0 : 0.0);
}

}  // namespace

IndependenceTest test_nominal(const double* counts, std::size_t levels, std::size_t classes) {
    std::vector<double> by_class(classes, 0.0);
    std::vector<double> by_level(levels, 0.0);
    for (std::size_t i = 0; i < levels; ++i) {
        for (std::size_t j = 0; j < classes; ++j) {
            by_class[j] += counts[i * classes + j];
            by_level[i] += counts[i * classes + j];
        }
    }
    const double weight = std::accumulate(by_class.begin(), by_class.end(), 0.0);
    const auto present = [](const std::vector<double>& sums) {
        return static_cast<double>(
            std::count_if(sums.begin(), sums.end(), [](double s) { return s > 0.0; }));
    };
    double chi_square = 0.0;
    for (std::size_t i = 0; i < levels; ++i) {
        for (std::size_t j = 0; j < classes; ++j) {
            const double expected = by_level[i] * (by_class[j] / weight);
            if (!(expected > 0.0)) continue;
            const double difference = counts[i * classes + j] - expected;
            chi_square += difference * difference / expected;
        }
    }
    return finished(weight, chi_square / weight,
                    (present(by_level) - 1.0) * (present(by_class) - 1.0));
}

IndependenceTest test_numeric(const double* class_weights, const double* class_sums, double squares,
                              std::size_t classes) {
    return test_groups(class_weights, class_sums, squares, classes);
}

IndependenceTest test_levels(const double* weights, const double* sums, double squares,
                             std::size_t levels) {
    return test_groups(weights, sums, squares, levels);
}

IndependenceTest test_correlation(const ProductSums& s) {
    const double xx = s.xx - s.x * s.x / s.weight;
    const double yy = s.yy - s.y * s.y / s.weight;
    const double xy = s.xy - s.x * s.y / s.weight;
    const bool vary = xx > 0.0 && yy > 0.0;
    return finished(s.weight, vary ? std::min(1.0, xy / xx * (xy / yy)) : 0.0, vary ? 1.0 : 0.0);
}

}  // namespace ramify
