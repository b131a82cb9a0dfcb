// Bounds between two examined thresholds of a column. If rows are only added to the left branch,
// its optimum does not fall (except for leaves that were too small, see Data::shrinkage). If rows
// are taken away, it falls by at most their stakes. The right branch mirrors this. Invariant: every
// bound holds for every threshold inside the interval.
#pragma once

#include <algorithm>

#include "optimal/continuous/subset.hpp"

namespace ramify::optimal::continuous {

struct End {  // an examined threshold
    std::int32_t threshold = -1;
    double left = 0.0, right = 0.0;  // bounds of its branches
};

struct Between {
    const Data& data;
    const Curve& curve;
    const End* a;  // may be null: no threshold there
    const End* b;
    std::int64_t leaves;  // that a branch can have, at most
    double base = 0.0;    // the price of a leaf

    double rows(std::int32_t t) const { return curve.rows[static_cast<std::size_t>(t)]; }
    double stakes(std::int32_t t) const { return curve.stakes[static_cast<std::size_t>(t)]; }

    // Turns values known at a (left of t) and at b (right of t) into a bound for the left branch of
    // t.
    double carry_left(double at_a, double at_b, std::int32_t t) const {
        double bound = base_left(t);
        if (a && data.neighbours) {
            bound = std::max(bound, at_a - shrinkage(a->threshold, t));
        }
        if (b && data.similarity) {
            bound = std::max(bound, at_b - (stakes(b->threshold) - stakes(t)));
        }
        return bound;
    }
    double carry_right(double at_a, double at_b, std::int32_t t) const {
        double bound = base_right(t);
        if (b && data.neighbours) {
            bound = std::max(bound, at_b - shrinkage(t, b->threshold));
        }
        if (a && data.similarity) {
            bound = std::max(bound, at_a - (stakes(t) - stakes(a->threshold)));
        }
        return bound;
    }
    double left(std::int32_t t) const {
        return carry_left(a ? a->left : 0.0, b ? b->left : 0.0, t);
    }
    double right(std::int32_t t) const {
        return carry_right(a ? a->right : 0.0, b ? b->right : 0.0, t);
    }
    // A bound for all thresholds in [low, high]: the left branch is least at the low end, the right
    // branch at the high end.
    double lower(std::int32_t low, std::int32_t high) const {
        double bound = left_over(low, high) + right_over(low, high);
        if (a && b && data.similarity) {
            bound =
                std::max(bound, a->right + b->left - (stakes(b->threshold) - stakes(a->threshold)));
        }
        return bound;
    }
    double left_over(std::int32_t low, std::int32_t high) const {
        return carry_left_over(a ? a->left : 0.0, b ? b->left : 0.0, low, high);
    }
    double right_over(std::int32_t low, std::int32_t high) const {
        return carry_right_over(a ? a->right : 0.0, b ? b->right : 0.0, low, high);
    }
    double carry_left_over(double at_a, double at_b, std::int32_t low, std::int32_t high) const {
        double bound = base_left(low);
        if (a && data.neighbours) bound = std::max(bound, at_a - shrinkage(a->threshold, high));
        if (b && data.similarity) {
            bound = std::max(bound, at_b - (stakes(b->threshold) - stakes(low)));
        }
        return bound;
    }
    double carry_right_over(double at_a, double at_b, std::int32_t low, std::int32_t high) const {
        double bound = base_right(high);
        if (b && data.neighbours) bound = std::max(bound, at_b - shrinkage(low, b->threshold));
        if (a && data.similarity) {
            bound = std::max(bound, at_a - (stakes(high) - stakes(a->threshold)));
        }
        return bound;
    }
    // Drops thresholds at both ends that cannot beat `budget`. Returns their least bound.
    double trim(std::int32_t& low, std::int32_t& high, double budget) const {
        double least = std::numeric_limits<double>::infinity();
        const auto hopeless = [&](std::int32_t t) {
            const double bound = left(t) + right(t);
            if (bound < budget) return false;
            least = std::min(least, bound);
            return true;
        };
        while (low <= high && hopeless(low)) ++low;
        while (low <= high && hopeless(high)) --high;
        return least;
    }

  private:
    double base_left(std::int32_t t) const { return least(curve.left, curve.least_left, t); }
    double base_right(std::int32_t t) const { return least(curve.right, curve.least_right, t); }
    // A branch is a leaf, or has two leaves at least.
    double least(const std::vector<double>& leaf, const std::vector<double>& unavoidable,
                 std::int32_t t) const {
        const auto at = static_cast<std::size_t>(t);
        const double loss = unavoidable.empty() ? 0.0 : unavoidable[at];
        return base > 0.0 ? base + std::min(leaf[at], base + loss) : loss;
    }
    double shrinkage(std::int32_t from, std::int32_t to) const {
        if (data.min_leaf <= 1) return 0.0;
        return data.shrinkage(static_cast<std::int64_t>(rows(to) - rows(from)), leaves);
    }
};

}  // namespace ramify::optimal::continuous
