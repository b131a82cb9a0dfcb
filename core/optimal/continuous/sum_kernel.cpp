#include "optimal/continuous/sum_kernel.hpp"

#include "optimal/continuous/pair_kernel_avx2.hpp"
#include "optimal/continuous/sum_kernel_avx2.hpp"

namespace ramify::optimal::continuous {
namespace {

struct Baseline;

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
