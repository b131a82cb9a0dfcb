// The number of expansions (Shi 2007, section 3.4). The key of a node is minus its place in
// best-first order. Invariant: the threshold -n leaves a tree of n expansions.
#pragma once

#include "prune/retirement.hpp"

namespace ramify {

class BestFirst final : public Retirement {
  public:
    static constexpr RetirementInfo by_error{"best_first", "expansions"};
    static constexpr RetirementInfo by_rmse{"best_first_rmse", "expansions", true};

    explicit BestFirst(bool weigh_gains) : weigh_gains_(weigh_gains) {}
    std::vector<double> keys(const Tree& tree) const override;
    double start(const Tree& tree) const override;  // all its expansions
    bool continuous() const override { return false; }

  private:
    bool weigh_gains_;
};

}  // namespace ramify
