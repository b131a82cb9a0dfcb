// Weakest-link cutting (Breiman et al. 1984, chapter 3). The key of a node is the price alpha of a
// leaf at which the branch below the node is no longer worth its leaves. Invariant: keys are not
// negative.
#pragma once

#include "prune/retirement.hpp"

namespace ramify {

class CostComplexity final : public Retirement {
  public:
    static constexpr RetirementInfo by_error{"cost_complexity", "alpha"};
    static constexpr RetirementInfo by_impurity{"cost_complexity_impurity", "alpha"};

    explicit CostComplexity(bool impurity, std::span<const double> costs)
        : impurity_(impurity), costs_(costs) {}
    std::vector<double> keys(const Tree& tree) const override;
    double start(const Tree&) const override { return 0.0; }
    bool drops_equal_labels() const override { return !impurity_ && costs_.empty(); }

  private:
    bool impurity_;  // of the node, in place of its errors
    std::span<const double> costs_;
};

}  // namespace ramify
