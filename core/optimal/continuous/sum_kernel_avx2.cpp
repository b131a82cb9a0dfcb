#include "optimal/continuous/sum_kernel_avx2.hpp"

namespace ramify::optimal::continuous {
namespace {

struct Avx2;

}  // namespace

SumKernel<std::int16_t> avx2_sums_16() {
    return kernel::SumWalk<Avx2, std::int16_t>::walk;
}
SumKernel<std::int32_t> avx2_sums_32() {
    return kernel::SumWalk<Avx2, std::int32_t>::walk;
}

}  // namespace ramify::optimal::continuous
