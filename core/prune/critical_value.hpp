// Critical values (Mingers 1987). The key of a node is the largest gain at or below it. Invariant:
// a threshold gives up every split that gains no more, unless a split below it gains more.
#pragma once

#include "prune/retirement.hpp"

namespace ramify {

class CriticalValue final : public Retirement {
  public:
    static constexpr RetirementInfo info{"critical_value", "threshold"};

    std::vector<double> keys(const Tree& tree) const override;
};

}  // namespace ramify
