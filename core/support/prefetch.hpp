// A hint that an array will be read soon. Invariant: it changes no result; compilers that do not
// know the hint ignore it.
#pragma once

#include <cstddef>

namespace ramify {

// The cache line of one address.
inline void prefetch_line([[maybe_unused]] const void* from) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(from);
#endif
}

inline void prefetch([[maybe_unused]] const double* from, [[maybe_unused]] std::size_t size) {
#if defined(__GNUC__)
    constexpr std::size_t line = 64 / sizeof(double);
    for (std::size_t i = 0; i < size; i += line) __builtin_prefetch(from + i);
#endif
}

}  // namespace ramify
