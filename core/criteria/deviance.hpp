// Deviances from the mean: the targets of a child are compared with its mean, and the gain follows
// from the weight and the sum of every child alone. Invariant: a deviance is never negative, and a
// node of equal targets has none.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "criteria/criterion.hpp"

namespace ramify {

// With r the mean of a child over that of the node and d = r - 1, the gain of a split is unit(mean)
// times the weighted mean of rise(d). Since the weighted mean of d is zero, a rise may be written
// without its linear part; so nothing is lost where all means are close. `series[k]` is the
// coefficient of d^(k + 2).
template <typename Deviance>
double rise_of(double d) {
    constexpr double small = 0.03;
    if (std::abs(d) > small) return Deviance::rise(d);
    double sum = 0.0;
    for (std::size_t k = Deviance::series.size(); k-- > 0;) sum = sum * d + Deviance::series[k];
    return sum * d * d;
}

// The rises of both sides of a cut, times their weights. `off`: the sum of differences from the
// mean on the left. A mean below the rounding of such sums counts as that rounding.
template <typename Deviance>
double rises_of(double mean, double weight, double left, double off) {
    const auto rise = [&](double from_mean, double of_side) {
        const double d = from_mean / (mean * of_side);
        return rise_of<Deviance>(std::max(d, 1e-15 * weight / of_side - 1.0));
    };
    const double rest = weight - left;
    return left * rise(off, left) + rest * rise(-off, rest);
}

// A cut: the weights of the side above the mean of the node and of the side below, and the sum of
// differences from the mean above it, over the mean.
struct CutSides {
    CutSides(double inverse_mean, double weight, double left, double off_left)
        : above(off_left > 0.0 ? left : weight - left),
          below(off_left > 0.0 ? weight - left : left),
          off(std::abs(off_left) * inverse_mean) {}

    double above, below, off;
};
// The gain of a cut is at most over / under. Both are products, so that a cut that cannot win takes
// no division and no logarithm.
struct CutBound {
    double over, under;
};

// Half the Poisson deviance, y log(y / m) + m - y, as in scikit-learn; 0 log 0 is 0.
struct PoissonDeviance {
    static constexpr std::array series{1.0 / 2,  -1.0 / 6,  1.0 / 12, -1.0 / 20,
                                       1.0 / 30, -1.0 / 42, 1.0 / 56, -1.0 / 72};
    static double of(double y, double mean) {
        if (!(mean > 0.0)) return y > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
        return y > 0.0 ? std::max(0.0, y * std::log(y / mean) + mean - y) : mean;
    }
    static double unit(double mean) { return mean; }
    static double rise(double d) {
        const double ratio = 1.0 + d;
        return ratio > 0.0 ? ratio * std::log(ratio) - d : 1.0;
    }
    // A rise is at most d^2 / 2 where d > 0, and d^2 / (2 + d) where d < 0.
    static CutBound bound(double mean, double weight, const CutSides& cut) {
        return {cut.off * cut.off * mean * (2.0 * weight - cut.off),
                2.0 * weight * cut.above * (2.0 * cut.below - cut.off)};
    }
    // Near equal targets, half the variance over the mean.
    static double near(double variance, double mean) { return variance / (2.0 * mean); }
};

// Half the gamma deviance, log(m / y) + y / m - 1.
struct GammaDeviance {
    static constexpr std::array series{1.0 / 2, -1.0 / 3, 1.0 / 4, -1.0 / 5,
                                       1.0 / 6, -1.0 / 7, 1.0 / 8, -1.0 / 9};
    static double of(double y, double mean) {
        return std::max(0.0, y / mean - 1.0 - std::log(y / mean));
    }
    static double unit(double) { return 1.0; }
    static double rise(double d) { return d - std::log(std::max(1.0 + d, 1e-300)); }
    // A rise is at most d^2 / (2 + d) where d > 0, and d^2 / (2 + 2d) where d < 0.
    static CutBound bound(double, double weight, const CutSides& cut) {
        return {cut.off * cut.off * (2.0 * weight - cut.off),
                2.0 * weight * (2.0 * cut.above + cut.off) * (cut.below - cut.off)};
    }
    static double near(double variance, double mean) { return variance / (2.0 * mean * mean); }
};

template <typename Deviance>
struct MeanDeviance : Criterion {
    // Deviances do not follow from moments. This is what they are close to if the targets are close
    // to each other; the tree shows the deviance itself (grow/finish.hpp).
    double impurity(const double* moments, std::size_t) const override {
        const double mean = moments[1] / moments[0];
        if (!(mean > 0.0)) return 0.0;
        return Deviance::near(std::max(0.0, moments[2] / moments[0] - mean * mean), mean);
    }
    double deviance(double y, double mean) const override { return Deviance::of(y, mean); }

  protected:
    double evaluate(const Partition& partition, double) const override {
        const double* node = partition.node;
        const double mean = node[1] / node[0];
        if (!(mean > 0.0)) return 0.0;
        double gain = 0.0;
        for (std::size_t c = 0; c < partition.count; ++c) {
            const double* child = partition.children + c * partition.classes;
            if (child[0] <= 0.0) continue;
            const double off = (child[1] - mean * child[0]) / (mean * child[0]);
            gain += child[0] / node[0] * rise_of<Deviance>(off);
        }
        return Deviance::unit(mean) * gain;
    }
};

}  // namespace ramify
