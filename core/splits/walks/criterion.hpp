// The walk of every criterion that has none of its own. Invariant: that of walk.hpp.
#pragma once

#include <cmath>
#include <vector>

#include "criteria/contest.hpp"
#include "splits/walks/left_weights.hpp"
#include "splits/walks/walk.hpp"

namespace ramify {

// Any criterion on class weights or moments, weighted or not: every candidate is scored in full.
template <typename P>
class CriterionWalk {
  public:
    using Word = typename P::Word;
    static constexpr bool cheap = false;
    CriterionWalk(const WalkTotal& total, const Samples& samples, const Criterion& criterion,
                  bool balanced, std::vector<double>& scratch)
        : total_(total),
          left_(total, samples, scratch),
          criterion_(&criterion),
          contest_(balanced),
          tolerance_(std::isfinite(total.scale) ? tie_tolerance * total.scale : 0.0) {}
    void add(Word entry) { left_.add(entry); }
    void add_block(const double* sums, double support) { left_.add_block(sums, support); }
    bool better() {
        if (!left_.both_sides_large_enough()) return false;
        const double* sides = total_.divided == nullptr ? two_sides() : two_sides_divided();
        const double score = criterion_->score({total_.sums, sides, 2, left_.classes()});
        return contest_.wins(score, tolerance_, [&] {
            return balance_of(2, [&](std::size_t side) {
                return weight_of(sides + side * left_.classes(), left_.classes());
            });
        });
    }
    void accept() {
        contest_.accept();
        if (!std::isfinite(total_.scale)) tolerance_ = tie_tolerance * std::abs(gain());
    }
    double gain() const { return contest_.highest(); }
    double balance() const { return contest_.balance(); }
    double left_weight() const { return left_.sum(); }
    double left_sum(std::size_t place) const { return left_[place]; }

  private:
    // Rounding may leave a little of a class that is all on the left: that counts as nothing.
    double right(std::size_t j, double on_left) const {
        const double rest = total_.sums[j] - on_left;
        if (!P::classification) return rest;  // a sum of targets may well be negative
        return rest > total_.sums[j] * 1e-13 ? rest : 0.0;
    }
    const double* two_sides() const {
        const std::size_t classes = left_.classes();
        for (std::size_t j = 0; j < classes; ++j) left_.data()[classes + j] = right(j, left_[j]);
        return left_.data();
    }
    const double* two_sides_divided() const {
        const std::size_t classes = left_.classes();
        double* sides = left_.data() + classes;
        const double known = total_.weight - P::weight_of(total_.divided, classes);
        const double share = P::weight_of(left_.data(), classes) / known;
        for (std::size_t j = 0; j < classes; ++j) {
            const double divided = total_.divided[j];
            sides[j] = left_[j] + share * divided;
            sides[classes + j] = right(j, left_[j] + divided) + (1.0 - share) * divided;
        }
        return sides;
    }

    WalkTotal total_;
    LeftWeights<P> left_;
    const Criterion* criterion_;
    Contest contest_;
    double tolerance_;
};

}  // namespace ramify
