// What the two sides of a cut must satisfy beside a number of rows: a least weight, values within
// the bounds of the node, and the order that a monotone column asks for. Invariant: the sides are
// judged as the children will be, with the rows that lack a value in them.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "splits/walks/walk.hpp"

namespace ramify {

// A value is a share of a class, or a mean.
struct CutLimits {
    double least_weight = 0.0;
    std::span<const std::uint32_t> outputs{};  // the places in the sums of the values that count
    const double* bounds = nullptr;            // lowest and highest value, output by output
    int sign = 0;                              // of the order; 0: none is asked for
    std::size_t ordered = 0;                   // the output that has the order
    double centre = 0.0;                       // what was subtracted from the targets
    // The rows that a cut divides, and those that it divides in proportion to these.
    const double* all = nullptr;
    double all_weight = 0.0;
    const double* rest = nullptr;
    double rest_weight = 0.0;

    CutLimits over(const double* sums, double weight, const double* divided = nullptr,
                   double divided_weight = 0.0) const {
        CutLimits limits = *this;
        limits.all = sums;
        limits.all_weight = weight;
        limits.rest = divided;
        limits.rest_weight = divided_weight;
        return limits;
    }
    CutLimits unordered() const {
        CutLimits limits = *this;
        limits.sign = 0;
        return limits;
    }

    bool within(std::size_t output, double value) const {
        return value >= bounds[2 * output] && value <= bounds[2 * output + 1];
    }
    // `left(place)`: a sum of the rows on the left, which weigh `left_weight`.
    template <typename Left>
    bool allow(double left_weight, Left&& left) const {
        const double share = rest == nullptr ? 0.0 : left_weight / all_weight;
        const double weight = left_weight + share * rest_weight;
        const double other = all_weight - left_weight + (1.0 - share) * rest_weight;
        if (weight < least_weight || other < least_weight) return false;
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const std::uint32_t place = outputs[o];
            double low = left(place);
            double high = all[place] - low;
            if (rest != nullptr) {
                low += share * rest[place];
                high += (1.0 - share) * rest[place];
            }
            low = low / weight + centre;
            high = high / other + centre;
            if (!within(o, low) || !within(o, high)) return false;
            if (sign != 0 && o == ordered && (sign > 0 ? low > high : low < high)) return false;
        }
        return true;
    }
};

// The same for one value, without divisions, for many cuts at a time. Let s be the sum on the left
// beyond its share of the node, w the weight there, W that of the node, and a <= 0 <= b the bounds
// minus the value of the node. The sides differ from the node by s / w and -s / (W - w). So
// max(aw, -b(W - w)) <= s <= min(bw, -a(W - w)), and s has the sign that the order asks for.
// Invariant: what it bars, CutLimits does not allow; rounding is left to CutLimits.
class ExcessLimits {
  public:
    ExcessLimits() = default;
    // `flipped`: s is that of the other of two classes.
    explicit ExcessLimits(const CutLimits& limits, bool flipped) {
        if (limits.outputs.size() != 1 || limits.rest != nullptr) return;
        weight_ = limits.all_weight;
        const double value = limits.all[limits.outputs[0]] / weight_ + limits.centre;
        // A little wider than the bounds.
        const double slack = 1e-9 * (std::abs(value) + std::abs(limits.centre) + 1e-300);
        low_ = std::min(0.0, limits.bounds[0] - value) - slack;
        high_ = std::max(0.0, limits.bounds[1] - value) + slack;
        most_ = limits.sign > 0 ? slack * weight_ : std::numeric_limits<double>::infinity();
        least_ = limits.sign < 0 ? -slack * weight_ : -std::numeric_limits<double>::infinity();
        if (flipped) {
            std::swap(low_, high_);
            std::swap(most_, least_);
            for (double* bound : {&low_, &high_, &most_, &least_}) *bound = -*bound;
        }
        usable_ = true;
    }
    bool usable() const { return usable_; }
    // Whether no cut is allowed that has from `from` to `to` on the left, with an excess from
    // `lowest` to `highest`.
    bool bar(double from, double to, double lowest, double highest) const {
        const double rest = weight_ - from;
        return lowest > most_ || highest < least_ || lowest > high_ * to || lowest > -low_ * rest ||
               highest < low_ * to || highest < -high_ * rest;
    }

  private:
    bool usable_ = false;
    double weight_ = 0.0, low_ = 0.0, high_ = 0.0, least_ = 0.0, most_ = 0.0;
};

// A walk that knows the excess of its left side, and can step over a block whose cuts are barred.
template <typename W>
concept ExcessWalk = requires(const W walk) {
    { walk.left_excess() } -> std::convertible_to<double>;
};

// A walk that passes over the cuts that the limits rule out. Blocks may still be skipped: no cut
// inside them is better than one that was accepted.
template <typename Walk>
class LimitedWalk : public Walk {
  public:
    static constexpr bool cheap = false;
    LimitedWalk(const Walk& walk, const CutLimits& limits) : Walk(walk), limits_(&limits) {
        if constexpr (ExcessWalk<Walk>)
            excess_ = ExcessLimits(limits, !limits.outputs.empty() && limits.outputs[0] == 0);
    }
    bool better() {
        if (!Walk::better()) return false;
        const double weight = Walk::left_weight();
        if constexpr (ExcessWalk<Walk>) {
            const double excess = Walk::left_excess();
            if (excess_.usable() && excess_.bar(weight, weight, excess, excess)) return false;
        }
        return limits_->allow(weight, [&](std::size_t place) { return Walk::left_sum(place); });
    }
    template <typename Word>
    bool skip(const Word* entries, std::size_t size)
        requires SkippingWalk<Walk, Word>
    {
        if (Walk::skip(entries, size)) return true;
        if constexpr (ExcessWalk<Walk>) {
            return excess_.usable() && Walk::pass(entries, size, excess_);
        }
        return false;
    }
    // The rows of a contingency table.
    bool skip(const double* sums)
        requires requires(Walk walk) { walk.skip(sums); }
    {
        return Walk::skip(sums);
    }

  private:
    const CutLimits* limits_;
    ExcessLimits excess_;
};

}  // namespace ramify
