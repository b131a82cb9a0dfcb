// Pinball loss: q times what a target lies above the prediction, 1 - q times what it lies below
// (Koenker and Bassett 1978). A child predicts its q-quantile. Invariant: that of
// absolute_error.hpp, and 0 < q < 1.
#pragma once

#include "criteria/squared_error.hpp"

namespace ramify {

struct Quantile final : Criterion {
    static constexpr std::string_view name = "quantile";
    explicit Quantile(const NumberOptions& options)
        : loss_{options.quantile, options.quantile, 1.0 - options.quantile, false} {}

    // The index closest to it that follows from moments.
    double impurity(const double* moments, std::size_t width) const override {
        return SquaredError().impurity(moments, width);
    }
    bool strictly_concave() const override { return false; }
    WalkKind walk_kind() const override { return WalkKind::ranks; }
    RankLoss rank_loss() const override { return loss_; }

  private:
    RankLoss loss_;
};

}  // namespace ramify
