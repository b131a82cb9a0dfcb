// Sums of short arrays in four chains of additions, which a compiler may keep in vector registers.
// Invariant: the order of the additions is fixed, so the result is the same on every machine.
#pragma once

#include <cstddef>

namespace ramify {

inline double sum_of(const double* a, std::size_t size) {
    double chain[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t j = 0;
    for (; j + 4 <= size; j += 4) {
        for (std::size_t c = 0; c < 4; ++c) chain[c] += a[j + c];
    }
    for (; j < size; ++j) chain[0] += a[j];
    return (chain[0] + chain[1]) + (chain[2] + chain[3]);
}

inline double dot(const double* a, const double* b, std::size_t size) {
    double chain[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t j = 0;
    for (; j + 4 <= size; j += 4) {
        for (std::size_t c = 0; c < 4; ++c) chain[c] += a[j + c] * b[j + c];
    }
    for (; j < size; ++j) chain[0] += a[j] * b[j];
    return (chain[0] + chain[1]) + (chain[2] + chain[3]);
}

}  // namespace ramify
