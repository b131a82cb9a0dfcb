// Which attribute: the one least likely to be independent of the target (Hothorn, Hornik and
// Zeileis 2006). Its split is searched afterwards, so many ways of splitting are no advantage.
// CHAID chooses in the same way among tests of splits, adjusted for the ways of making these (Kass
// 1980). Invariant: p-values are compared as logarithms; they underflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "node/candidate.hpp"
#include "node/parameters.hpp"

namespace ramify {

// The attribute of the smallest p-value among those not yet `refused`, ties to the lower index; -1
// if its p-value, of conditional inference adjusted for the number of attributes tested, exceeds
// alpha.
std::int32_t select_by_inference(const Candidate* candidates, std::size_t count,
                                 const std::vector<bool>& refused,
                                 const GrowParameters& parameters);

// The logarithm of the p-value of a tested attribute, as alpha is compared with it.
double log_p_value(const Candidate* candidates, std::size_t count, std::size_t attribute,
                   const GrowParameters& parameters);

}  // namespace ramify
