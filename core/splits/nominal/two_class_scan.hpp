// Order and scan where two superclasses take the place of the classes. Invariant: only the weight
// of a level and its weight inside the superclass matter.
#pragma once

#include <cmath>
#include <limits>

#include "criteria/criterion.hpp"
#include "splits/nominal/order.hpp"

namespace ramify {

struct TwoClassCut {
    std::size_t cut = 0;  // levels on the left; 0: no prefix has enough rows on both sides
    double value = -std::numeric_limits<double>::infinity();
};

// `value(left, left_inside)` scores a prefix by its weight and its weight inside the superclass.
template <typename Value>
TwoClassCut best_cut(const ShareOrder& order, const std::vector<double>& weight,
                     const std::vector<double>& share, const double* support, double min_leaf,
                     double scale, Value&& value) {
    double all_rows = 0.0;
    for (std::size_t i = 0; i < order.size(); ++i) all_rows += support[i];
    TwoClassCut best;
    double left = 0.0;
    double inside = 0.0;
    double rows = 0.0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        const std::size_t level = order[i];
        left += weight[level];
        inside += weight[level] * share[level];
        rows += support[level];
        if (rows < min_leaf - 1e-9 || all_rows - rows < min_leaf - 1e-9) continue;
        const double now = value(left, inside);
        if (best.cut == 0 || now > best.value + tie_tolerance * scale) best = {i + 1, now};
    }
    return best;
}

// Drop of the Gini index of two classes: 2 (inside N - left N_inside)^2 / (N^2 left right).
struct TwoClassGini {
    double weight, inside;
    double scale() const { return 2.0 * inside * (weight - inside) / (weight * weight); }
    double operator()(double left, double left_inside) const {
        const double right = weight - left;
        if (!(left > 0.0 && right > 0.0)) return 0.0;  // one vanishes beside the other
        const double difference = left_inside * weight - left * inside;
        return 2.0 * difference * difference / (weight * weight * left * right);
    }
};

// Drop of the entropy of two classes, in bits.
struct TwoClassEntropy {
    double weight, inside;
    static double power(double x) { return x > 0.0 ? x * std::log2(x) : 0.0; }
    static double total(double all, double part) {
        return power(all) - power(part) - power(all - part);
    }
    double scale() const { return total(weight, inside) / weight; }
    double operator()(double left, double left_inside) const {
        return (total(weight, inside) - total(left, left_inside) -
                total(weight - left, inside - left_inside)) /
               weight;
    }
};

}  // namespace ramify
