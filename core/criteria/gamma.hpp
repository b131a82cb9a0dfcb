// Gamma deviance: for positive amounts whose spread grows with their mean (McCullagh and Nelder
// 1989, section 8.3). Invariant: all targets are positive, and multiplying them by a constant
// changes no gain.
#pragma once

#include "criteria/deviance.hpp"

namespace ramify {

struct Gamma final : MeanDeviance<GammaDeviance> {
    static constexpr std::string_view name = "gamma";
    explicit Gamma(const NumberOptions&) {}
    WalkKind walk_kind() const override { return WalkKind::gamma; }
};

}  // namespace ramify
