#include "optimal/binary/kernels_impl.hpp"

#ifdef RAMIFY_X86_KERNELS
#include "optimal/binary/kernels_avx.hpp"
#endif

namespace ramify::optimal::binary {

template <typename T>
const PairKernels<T>& pair_kernels([[maybe_unused]] int level) {
#ifdef RAMIFY_X86_KERNELS
    constexpr bool narrow = sizeof(T) == 2;
    const auto choose = [](const auto& if_narrow, const auto& if_wide) -> const PairKernels<T>& {
        if constexpr (narrow) {
            return if_narrow();
        } else {
            return if_wide();
        }
    };
    if (level >= 2 && __builtin_cpu_supports("avx512bitalg") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vpopcntdq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt")) {
        return choose(kernels_avx512_16, kernels_avx512_32);
    }
    if (level >= 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt")) {
        return choose(kernels_avx2_16, kernels_avx2_32);
    }
#endif
    return kernels<T>;
}

template const PairKernels<std::uint16_t>& pair_kernels(int level);
template const PairKernels<std::uint32_t>& pair_kernels(int level);

}  // namespace ramify::optimal::binary
