// The pair kernels compiled for AVX2. Invariant: they are called only if the machine has AVX2.
#pragma once

#include "optimal/continuous/pair_kernel.hpp"

namespace ramify::optimal::continuous {

bool has_avx2();  // whether this machine has it
PairKernels<std::int16_t> avx2_kernels_16(bool min_leaf);
PairKernels<std::int32_t> avx2_kernels_32(bool min_leaf);

}  // namespace ramify::optimal::continuous
