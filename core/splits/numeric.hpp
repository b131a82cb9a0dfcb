// Threshold search: one pass over a column's entries in value order.
// Invariant: a boundary lies only between two distinct values that are both present at the node.
#pragma once

#include <cstddef>
#include <optional>

#include "node/segment.hpp"
#include "splits/walks/walk.hpp"

namespace ramify {

template <typename Layout, typename Walk>
    requires ThresholdWalk<Walk, typename Layout::Word>
std::optional<Boundary> best_threshold(const Segment<typename Layout::Word>& segment, Walk& walk) {
    std::optional<Boundary> best;
    const auto pass = [&](std::size_t begin, std::size_t end, bool mode_left) {
        std::size_t found = end;
        // A copy keeps the state of the walk in registers.
        Walk local = walk;
        std::size_t i = begin;
        if (!mode_left && end > 0)
            local.add(segment.entries[i++]);  // nothing lies left of the first value
        const auto to = [&](std::size_t stop) {
            for (; i < stop; ++i) {
                const auto entry = segment.entries[i];
                // Where both tests are cheap they are combined without a jump, because `fresh`
                // alone is hard to predict.
                if (Walk::cheap ? (Layout::fresh(entry) & local.better()) != 0
                                : Layout::fresh(entry) && local.better()) {
                    local.accept();
                    found = i;
                }
                local.add(entry);
            }
        };
        const auto advance = [&](std::size_t stop) {
            if constexpr (SkippingWalk<Walk, typename Layout::Word>) {
                const std::size_t block = local.block_size();
                while (block > 0 && i + block <= stop) {
                    if (local.skip(segment.entries + i, block)) {
                        i += block;
                    } else {
                        to(i + block);
                        // The sums at the end of a block must not depend on whether it was skipped.
                        if constexpr (requires { local.settle(); }) local.settle();
                    }
                }
            }
            to(stop);
        };
        if constexpr (PrefetchingWalk<Walk, typename Layout::Word>) {
            // The targets of a large node do not fit in the cache: ask for them well before they
            // are needed.
            constexpr std::size_t ahead = 32;
            while (end - begin > 16384 && i + 2 * ahead <= end) {
                for (std::size_t k = 0; k < ahead; ++k)
                    local.prefetch(segment.entries[i + ahead + k]);
                advance(i + ahead);
            }
        }
        advance(end);
        walk = local;
        if (found != end) best = Boundary{found, mode_left};
    };
    const std::size_t below = segment.has_mode ? segment.below : segment.size;
    pass(0, below, false);
    if (segment.has_mode) {
        // The first value is on the left, whatever the walk started with.
        if (below > 0 && walk.better()) {
            walk.accept();
            best = Boundary{below, false};
        }
        walk.add_block(segment.mode_sums, segment.mode_support);
        pass(below, segment.size, true);
    }
    return best;
}

// The midpoint, or the lower value if the midpoint is not strictly below the upper one
// (neighbouring floats, infinities). The test `<=` must tell the two apart.
inline double threshold_between(double lower, double upper) {
    const double middle = lower / 2 + upper / 2;
    return middle >= lower && middle < upper ? middle : lower;
}

}  // namespace ramify
