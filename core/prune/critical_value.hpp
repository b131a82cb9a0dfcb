// Critical values (Mingers 1987). The key of a node is the largest gain at or below it: a threshold
// gives up all splits that gain no more, unless one below them does.
#pragma once

#include "prune/retirement.hpp"

namespace ramify {

class CriticalValue final : public Retirement {
  public:
    static constexpr RetirementInfo info{"critical_value", "threshold"};

    std::vector<double> keys(const Tree& tree) const override;
};

}  // namespace ramify
