#include "optimal/continuous/pair_kernel_avx2.hpp"

namespace ramify::optimal::continuous {
namespace {

struct Avx2;

}  // namespace

PairKernels<std::int16_t> avx2_kernels_16(bool min_leaf) {
    return kernel::of<Avx2, std::int16_t>(min_leaf);
}
PairKernels<std::int32_t> avx2_kernels_32(bool min_leaf) {
    return kernel::of<Avx2, std::int32_t>(min_leaf);
}

}  // namespace ramify::optimal::continuous
