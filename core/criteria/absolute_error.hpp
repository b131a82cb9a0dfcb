// Absolute error: the reduction of the mean absolute deviation from the median. Medians do not
// follow from sums, so a search by ranks scores its splits (evaluate/rank_search.hpp).
// Invariant: it is asked for its properties alone.
#pragma once

#include "criteria/squared_error.hpp"

namespace ramify {

struct AbsoluteError final : Criterion {
    static constexpr std::string_view name = "absolute_error";

    // The index closest to it that follows from moments.
    double impurity(const double* moments, std::size_t width) const override {
        return SquaredError().impurity(moments, width);
    }
    bool strictly_concave() const override { return false; }
    WalkKind walk_kind() const override { return WalkKind::ranks; }
};

}  // namespace ramify
