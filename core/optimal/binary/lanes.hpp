// Vectors of small counters, 64 bytes wide on every machine; the compiler maps them to its
// registers. Invariant: no function here is visible outside the including file, since each
// including file is compiled for another instruction set.
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __AVX512BITALG__
#include <immintrin.h>
#endif
#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace ramify::optimal::binary {
namespace {

#if defined(__GNUC__)
template <typename T>
struct LanesOf;
template <>
struct LanesOf<std::uint16_t> {
    typedef std::uint16_t Type __attribute__((vector_size(64)));
};
template <>
struct LanesOf<std::uint32_t> {
    typedef std::uint32_t Type __attribute__((vector_size(64)));
};
template <typename T>
using Lanes = typename LanesOf<T>::Type;
#else
template <typename T>
struct Lanes {
    T v[64 / sizeof(T)];
    T& operator[](std::size_t i) { return v[i]; }
    T operator[](std::size_t i) const { return v[i]; }
};
template <typename T, typename Function>
Lanes<T> each(const Lanes<T>& a, const Lanes<T>& b, Function&& function) {
    Lanes<T> out;
    for (std::size_t i = 0; i < 64 / sizeof(T); ++i)
        out.v[i] = static_cast<T>(function(a.v[i], b.v[i]));
    return out;
}
template <typename T>
Lanes<T> operator+(const Lanes<T>& a, const Lanes<T>& b) {
    return each(a, b, [](T x, T y) { return x + y; });
}
template <typename T>
Lanes<T> operator-(const Lanes<T>& a, const Lanes<T>& b) {
    return each(a, b, [](T x, T y) { return x - y; });
}
template <typename T>
Lanes<T> operator&(const Lanes<T>& a, const Lanes<T>& b) {
    return each(a, b, [](T x, T y) { return x & y; });
}
#endif

template <typename T>
inline constexpr std::size_t lane_count = 64 / sizeof(T);

template <typename T>
inline Lanes<T> load(const T* from) {
    Lanes<T> out;
    std::memcpy(&out, from, sizeof out);
    return out;
}

template <typename T>
inline void store(T* to, const Lanes<T>& lanes) {
    std::memcpy(to, &lanes, sizeof lanes);
}

template <typename T>
inline Lanes<T> broadcast(T value) {
#if defined(__GNUC__)
    return Lanes<T>{} + value;
#else
    Lanes<T> out;
    for (T& lane : out.v) lane = value;
    return out;
#endif
}

template <typename T>
inline Lanes<T> least(const Lanes<T>& a, const Lanes<T>& b) {
#if defined(__GNUC__)
    return a < b ? a : b;
#else
    return each(a, b, [](T x, T y) { return x < y ? x : y; });
#endif
}

template <typename T>
inline Lanes<T> largest(const Lanes<T>& a, const Lanes<T>& b) {
#if defined(__GNUC__)
    return a > b ? a : b;
#else
    return each(a, b, [](T x, T y) { return x > y ? x : y; });
#endif
}

// `value` where `size` is at least `least`, otherwise the largest number.
template <typename T>
inline Lanes<T> unless_small(const Lanes<T>& value, const Lanes<T>& size, const Lanes<T>& least) {
#if defined(__GNUC__)
    return size < least ? broadcast<T>(static_cast<T>(~T{0})) : value;
#else
    Lanes<T> out = value;
    for (std::size_t i = 0; i < lane_count<T>; ++i) {
        if (size.v[i] < least.v[i]) out.v[i] = static_cast<T>(~T{0});
    }
    return out;
#endif
}

// Sums that stay at the largest number once they have reached it.
template <typename T>
inline Lanes<T> add_saturated(const Lanes<T>& a, const Lanes<T>& b) {
    const Lanes<T> sum = a + b;
#if defined(__GNUC__)
    return sum < a ? broadcast<T>(static_cast<T>(~T{0})) : sum;
#else
    return each(sum, a, [](T x, T y) { return x < y ? static_cast<T>(~T{0}) : x; });
#endif
}

template <typename T>
inline Lanes<T> ones(Lanes<T> x) {
#ifdef __AVX512BITALG__
    __m512i in, out;
    std::memcpy(&in, &x, sizeof in);
    if constexpr (sizeof(T) == 2) {
        out = _mm512_popcnt_epi16(in);
    } else {
        out = _mm512_popcnt_epi32(in);
    }
    std::memcpy(&x, &out, sizeof out);
    return x;
#elif defined(__GNUC__)
    constexpr T all = static_cast<T>(~T{0});
    constexpr T m1 = all / 3, m2 = all / 15 * 3, m4 = all / 255 * 15;
    x = x - ((x >> 1) & m1);
    x = (x & m2) + ((x >> 2) & m2);
    x = (x + (x >> 4)) & m4;
    x = x + (x >> 8);
    if constexpr (sizeof(T) == 4) x = x + (x >> 16);
    return x & static_cast<T>(0xff);
#else
    for (T& lane : x.v) {
        T count = 0;
        for (; lane; lane &= static_cast<T>(lane - 1)) ++count;
        lane = count;
    }
    return x;
#endif
}

template <typename T>
inline T least_lane(const Lanes<T>& lanes) {
    T out = lanes[0];
    for (std::size_t i = 1; i < lane_count<T>; ++i) out = lanes[i] < out ? lanes[i] : out;
    return out;
}

// The bits of `word` under `mask`, packed at the low end.
inline std::uint64_t extract_bits(std::uint64_t word, std::uint64_t mask) {
#ifdef __BMI2__
    return _pext_u64(word, mask);
#else
    std::uint64_t out = 0;
    int at = 0;
    for (; mask; mask &= mask - 1, ++at) {
        if (word & mask & (~mask + 1)) out |= std::uint64_t{1} << at;
    }
    return out;
#endif
}

}  // namespace
}  // namespace ramify::optimal::binary
