// Tests of independence of an attribute and the target: the quadratic statistic of Hothorn, Hornik
// and Zeileis (2006), whose mean and covariance over all permutations of the target have closed
// forms here. Invariant: weights count as repeated rows, and N is their sum. Levels and classes
// without weight are ignored.
#pragma once

#include <cstddef>

namespace ramify {

struct IndependenceTest {
    double weight = 0.0;  // N
    double statistic = 0.0;
    double df = 0.0;
    double log_p = 0.0;
    bool tested = false;  // false: attribute or target does not vary
};

// Nominal by classes (levels x classes): (N - 1) / N times Pearson's chi-square.
IndependenceTest test_nominal(const double* counts, std::size_t levels, std::size_t classes);

// Numbers by classes: (N - 1) SSB / SST of the numbers, given their sum per class and the sum of
// their squares over all classes.
IndependenceTest test_numeric(const double* class_weights, const double* class_sums, double squares,
                              std::size_t classes);

// Nominal by target: (N - 1) SSB / SST of the target, given weight and sum of the target per level
// and the sum of its squares.
IndependenceTest test_levels(const double* weights, const double* sums, double squares,
                             std::size_t levels);

// Numbers by target: (N - 1) r^2.
struct ProductSums {
    double weight = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
};
IndependenceTest test_correlation(const ProductSums& sums);

}  // namespace ramify
