// Which attribute: the one whose best split scores highest. Invariant: ties go to
// the lower index, or to the best balanced split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "criteria/contest.hpp"
#include "node/candidate.hpp"

namespace ramify {

// -1 if no attribute can split the node.
inline std::int32_t select_by_criterion(const Candidate* candidates, std::size_t count,
                                        double tolerance, bool balanced) {
    Contest contest(balanced);
    std::int32_t best = -1;
    for (std::size_t c = 0; c < count; ++c) {
        if (!candidates[c].valid()) continue;
        if (contest.offer(candidates[c].gain, tolerance, [&] { return candidates[c].balance; }))
            best = static_cast<std::int32_t>(c);
    }
    return best;
}

}  // namespace ramify
