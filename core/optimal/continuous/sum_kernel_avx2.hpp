// The walk over sums compiled for AVX2. Invariant: called only if the machine has AVX2.
#pragma once

#include "optimal/continuous/sum_kernel.hpp"

namespace ramify::optimal::continuous {

SumKernel<std::int16_t> avx2_sums_16();
SumKernel<std::int32_t> avx2_sums_32();

}  // namespace ramify::optimal::continuous
