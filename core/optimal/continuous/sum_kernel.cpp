#include "optimal/continuous/sum_kernel.hpp"

#include "optimal/continuous/sum_kernel_avx2.hpp"

namespace ramify::optimal::continuous {
namespace {

struct Baseline;

bool has_avx2() {
#if defined(RAMIFY_AVX2)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace

template <>
SumKernel<std::int16_t> sum_kernel() {
    return has_avx2() ? avx2_sums_16() : kernel::SumWalk<Baseline, std::int16_t>::walk;
}
template <>
SumKernel<std::int32_t> sum_kernel() {
    return has_avx2() ? avx2_sums_32() : kernel::SumWalk<Baseline, std::int32_t>::walk;
}

}  // namespace ramify::optimal::continuous
