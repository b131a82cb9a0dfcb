// What the two sides of a cut must satisfy beside a number of rows: a least weight, values within
// the bounds of the node, and the order that a monotone column asks for. Invariant: the sides are
// judged as the children will be, with the rows that lack a value in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

// A walk that passes over the cuts that the limits rule out. Blocks may still be skipped: no cut
// inside them is better than one that was accepted.
template <typename Walk>
class LimitedWalk : public Walk {
  public:
    static constexpr bool cheap = false;
    LimitedWalk(const Walk& walk, const CutLimits& limits) : Walk(walk), limits_(&limits) {}
    bool better() {
        return Walk::better() && limits_->allow(Walk::left_weight(), [&](std::size_t place) {
            return Walk::left_sum(place);
        });
    }

  private:
    const CutLimits* limits_;
};

}  // namespace ramify
