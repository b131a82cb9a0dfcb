// Which attribute, where the score is the gain ratio. Uneven partitions have little split
// information and so a large ratio. So an attribute competes only if its information gain is at
// least the average of all attributes with a split (Quinlan 1993; Berzal et al. 2003, section 3.2).
// Invariant: ties go to the lower index, or to the best balanced split.
#pragma once

#include <cstddef>
#include <cstdint>

#include "criteria/contest.hpp"
#include "node/candidate.hpp"

namespace ramify {

// -1 if no attribute can split the node.
inline std::int32_t select_by_gain_ratio(const Candidate* candidates, std::size_t count,
                                         double tolerance, bool balanced) {
    double sum = 0.0;
    double valid = 0.0;
    for (std::size_t c = 0; c < count; ++c) {
        if (!candidates[c].valid()) continue;
        sum += candidates[c].information;
        valid += 1.0;
    }
    constexpr double slack = 1e-9;  // rounding must not leave all below the average
    const double least = sum / valid - slack;
    Contest contest(balanced);
    std::int32_t best = -1;
    for (std::size_t c = 0; c < count; ++c) {
        if (!candidates[c].valid() || candidates[c].information < least) continue;
        if (contest.offer(candidates[c].gain, tolerance, [&] { return candidates[c].balance; }))
            best = static_cast<std::int32_t>(c);
    }
    return best;
}

}  // namespace ramify
