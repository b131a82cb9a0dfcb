#include "optimal/continuous/pair_kernel.hpp"

#include "optimal/continuous/pair_kernel_avx2.hpp"

namespace ramify::optimal::continuous {
namespace {

struct Baseline;

}  // namespace

bool has_avx2() {
#if defined(RAMIFY_AVX2)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

template <>
PairKernels<std::int16_t> pair_kernels(bool min_leaf) {
    return has_avx2() ? avx2_kernels_16(min_leaf) : kernel::of<Baseline, std::int16_t>(min_leaf);
}
template <>
PairKernels<std::int32_t> pair_kernels(bool min_leaf) {
    return has_avx2() ? avx2_kernels_32(min_leaf) : kernel::of<Baseline, std::int32_t>(min_leaf);
}

}  // namespace ramify::optimal::continuous
