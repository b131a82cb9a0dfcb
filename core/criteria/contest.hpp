// Which of several splits wins: the one that scores highest, and of those that tie the first or the
// one whose branches are best balanced. Invariant: scores are compared with the highest so far, so
// that a chain of near ties cannot lead away from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "criteria/criterion.hpp"

namespace ramify {

// How well branches are balanced: the share of the weight that the smallest of them has. A split
// into fewer branches can be better balanced than one into many.
template <typename WeightOf>
double balance_of(std::size_t branches, WeightOf&& weight_of_branch) {
    double sum = 0.0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < branches; ++b) {
        const double weight = weight_of_branch(b);
        sum += weight;
        smallest = std::min(smallest, weight);
    }
    return sum > 0.0 ? smallest / sum : 0.0;
}

class Contest {
  public:
    Contest() = default;
    explicit Contest(bool balanced) : balanced_(balanced) {}

    // Whether a split wins against all that were accepted before. `tolerance`: scores that differ
    // by less tie. `balance()` is asked only if it matters.
    template <typename Balance>
    bool wins(double score, double tolerance, Balance&& balance) {
        if (score > highest_ + tolerance) {
            next_highest_ = score;
            next_balance_ = balanced_ ? balance() : 0.0;
            return true;
        }
        if (!balanced_ || std::isinf(highest_) || !(score >= highest_ - tolerance)) return false;
        next_highest_ = highest_;
        next_balance_ = balance();
        return next_balance_ > balance_ + tie_tolerance;
    }
    // The split that won last is the one to beat.
    void accept() {
        highest_ = next_highest_;
        balance_ = next_balance_;
    }
    template <typename Balance>
    bool offer(double score, double tolerance, Balance&& balance) {
        if (!wins(score, tolerance, balance)) return false;
        accept();
        return true;
    }
    double highest() const { return highest_; }
    // Of the winner, if ties are decided by balance.
    double balance() const { return balance_; }
    bool balanced() const { return balanced_; }

  private:
    double highest_ = -std::numeric_limits<double>::infinity();
    double balance_ = 0.0;
    double next_highest_ = highest_;
    double next_balance_ = 0.0;
    bool balanced_ = false;
};

}  // namespace ramify
