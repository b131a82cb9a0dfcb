// Poisson deviance: for counts, or rates weighted by exposure (McCullagh and Nelder 1989, section
// 2.3). Invariant: children without events are allowed; they predict zero.
#pragma once

#include "criteria/deviance.hpp"

namespace ramify {

struct Poisson final : MeanDeviance<PoissonDeviance> {
    static constexpr std::string_view name = "poisson";
    explicit Poisson(const NumberOptions&) {}
    WalkKind walk_kind() const override { return WalkKind::poisson; }
};

}  // namespace ramify
