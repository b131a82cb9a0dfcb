// Which attribute: the one least likely to be independent of the target (Hothorn, Hornik and
// Zeileis 2006). Its split is searched afterwards, so that having many possible splits is no
// advantage. CHAID chooses in the same way among tests of splits, adjusted for the number of
// possible splits (Kass 1980). Invariant: p-values are compared as logarithms, because p-values
// themselves underflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "node/candidate.hpp"
#include "node/parameters.hpp"

namespace ramify {

// The attribute with the smallest p-value among those not yet `refused`; ties go to the lower
// index. -1 if that p-value exceeds alpha. Conditional inference first adjusts it for the number of
// attributes tested.
std::int32_t select_by_inference(const Candidate* candidates, std::size_t count,
                                 const std::vector<bool>& refused,
                                 const GrowParameters& parameters);

// The logarithm of the smallest p-value, as it is compared with alpha; NaN if nothing was tested.
double smallest_log_p(const Candidate* candidates, std::size_t count,
                      const GrowParameters& parameters);

// The logarithm of the p-value that is compared with alpha.
double log_p_value(const Candidate* candidates, std::size_t count, std::size_t attribute,
                   const GrowParameters& parameters);

}  // namespace ramify
