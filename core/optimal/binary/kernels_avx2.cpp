// The kernels for processors that have AVX2; see CMakeLists.txt for what that means.

#include "optimal/binary/kernels_avx.hpp"
#include "optimal/binary/kernels_impl.hpp"

namespace ramify::optimal::binary {

const PairKernels<std::uint16_t>& kernels_avx2_16() {
    return kernels<std::uint16_t>;
}
const PairKernels<std::uint32_t>& kernels_avx2_32() {
    return kernels<std::uint32_t>;
}

}  // namespace ramify::optimal::binary
