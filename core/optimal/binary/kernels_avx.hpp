// The kernels that CMakeLists.txt compiles for x86-64 alone. Invariant: they are called only if the
// processor has these instructions.
#pragma once

#include "optimal/binary/kernels.hpp"

namespace ramify::optimal::binary {

const PairKernels<std::uint16_t>& kernels_avx2_16();
const PairKernels<std::uint32_t>& kernels_avx2_32();
const PairKernels<std::uint16_t>& kernels_avx512_16();
const PairKernels<std::uint32_t>& kernels_avx512_32();

}  // namespace ramify::optimal::binary
