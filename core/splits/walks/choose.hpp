// The one place where the walk of a criterion is chosen: its own formula where it has one for this
// target, or a score of every cut. Invariant: whichever walk is chosen finds the same cut.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "splits/walks/criterion.hpp"
#include "splits/walks/deviance.hpp"
#include "splits/walks/entropy.hpp"
#include "splits/walks/gini.hpp"
#include "splits/walks/gini_cells.hpp"
#include "splits/walks/limits.hpp"
#include "splits/walks/squared_error.hpp"
#include "splits/walks/weighted_gini.hpp"
#include "targets/target.hpp"

namespace ramify {

struct WalkBuffers {
    std::vector<std::int64_t> counts;
    std::vector<double> sums;
};

template <Target P>
class Walks {
  public:
    using Layout = typename P::Layout;

    Walks(const Criterion& criterion, std::size_t rows) : criterion_(criterion.of_thresholds()) {
        if constexpr (P::classification && !P::weighted) {
            if (kind() == WalkKind::entropy) logs_.emplace(rows);
        }
    }

    // Calls drive(walk), and gives what it found and the gain.
    template <typename Drive>
    auto walk(const WalkTotal& total, const Samples& samples, WalkBuffers& buffers,
              Drive&& drive) const {
        const auto run = [&](auto walk) { return drive_within(total, walk, drive); };
        if constexpr (!P::classification) {
            if (kind() == WalkKind::poisson)
                return run(DevianceWalk<P, PoissonDeviance>(total, samples));
            if (kind() == WalkKind::gamma)
                return run(DevianceWalk<P, GammaDeviance>(total, samples));
            if (kind() == WalkKind::any)
                return run(CriterionWalk<P>(total, samples, criterion_, buffers.sums));
            return run(SquaredErrorWalk<P>(total, samples));
        } else {
            if (total.divided == nullptr) {
                if constexpr (!P::weighted) {
                    if (kind() == WalkKind::gini && samples.classes == 2)
                        return run(TwoClassGiniWalk<Layout>(total));
                    if (kind() == WalkKind::gini)
                        return run(GiniWalk<Layout>(total, samples.classes, buffers.counts));
                    if (kind() == WalkKind::entropy) {
                        return run(
                            EntropyWalk<Layout>(total, samples.classes, *logs_, buffers.counts));
                    }
                } else if (kind() == WalkKind::gini) {
                    if (samples.classes != 2)
                        return run(WeightedGiniWalk<P>(total, samples, buffers.sums));
                    if (samples.equal_weights)
                        return run(TwoClassWeightedGiniWalk<P, true>(total, samples));
                    return run(TwoClassWeightedGiniWalk<P, false>(total, samples));
                }
            }
            return run(CriterionWalk<P>(total, samples, criterion_, buffers.sums));
        }
    }

    // The same over the rows of a contingency table.
    template <typename Drive>
    auto walk_cells(const WalkTotal& total, const Samples& samples, WalkBuffers& buffers,
                    Drive&& drive) const {
        if constexpr (P::classification && !P::weighted) {
            if (kind() == WalkKind::gini) {
                GiniCellWalk walk(total, samples.classes, buffers.sums);
                return drive_within(total, walk, drive);
            }
        }
        return walk(total, samples, buffers, drive);
    }

  private:
    // A walk without limits is not touched, so that it costs what it did.
    template <TellingWalk Walk, typename Drive>
    static auto drive_within(const WalkTotal& total, Walk& walk, Drive&& drive) {
        if (total.limits == nullptr) {
            auto found = drive(walk);
            return std::pair(std::move(found), walk.gain());
        }
        LimitedWalk<Walk> limited(walk, *total.limits);
        auto found = drive(limited);
        return std::pair(std::move(found), limited.gain());
    }
    WalkKind kind() const { return criterion_.walk_kind(); }

    const Criterion& criterion_;
    std::optional<LogTable> logs_;
};

}  // namespace ramify
