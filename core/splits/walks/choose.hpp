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

    // `balanced`: of cuts that tie, the best balanced is taken. Only the walk that scores every cut
    // compares them.
    Walks(const Criterion& criterion, std::size_t rows, bool balanced)
        : criterion_(criterion.of_thresholds()), balanced_(balanced) {
        if constexpr (P::classification && !P::weighted) {
            if (kind() == WalkKind::entropy) logs_.emplace(rows);
        }
    }

    // What drive(walk) found, its gain and, if that is asked for, its balance.
    template <typename Found>
    struct Walked {
        Found found;
        double gain;
        double balance;
    };

    // Calls drive(walk).
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
                return run(CriterionWalk<P>(total, samples, criterion_, balanced_, buffers.sums));
            return run(SquaredErrorWalk<P>(total, samples));
        } else {
            if (total.divided == nullptr && !balanced_) {
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
            return run(CriterionWalk<P>(total, samples, criterion_, balanced_, buffers.sums));
        }
    }

    // The same over the rows of a contingency table.
    template <typename Drive>
    auto walk_cells(const WalkTotal& total, const Samples& samples, WalkBuffers& buffers,
                    Drive&& drive) const {
        if constexpr (P::classification && !P::weighted) {
            if (kind() == WalkKind::gini && !balanced_) {
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
            return driven(walk, drive);
        }
        LimitedWalk<Walk> limited(walk, *total.limits);
        return driven(limited, drive);
    }
    template <typename Walk, typename Drive>
    static auto driven(Walk& walk, Drive&& drive) {
        auto found = drive(walk);
        double balance = 0.0;
        if constexpr (requires { walk.balance(); }) balance = walk.balance();
        return Walked<decltype(found)>{std::move(found), walk.gain(), balance};
    }
    WalkKind kind() const { return criterion_.walk_kind(); }

    const Criterion& criterion_;
    bool balanced_;
    std::optional<LogTable> logs_;
};

}  // namespace ramify
