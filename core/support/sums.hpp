// Sums of short arrays in four chains of additions. They stay in vector registers of two numbers,
// which every machine has. Invariant: the order of the additions is fixed, so the result is the
// same on every machine.
#pragma once

#include <cstddef>
#include <cstring>

namespace ramify {

#if defined(__GNUC__)
using Two [[gnu::vector_size(16)]] = double;
#else
struct Two {
    double lane[2];
    double operator[](std::size_t i) const { return lane[i]; }
    friend Two operator+(Two a, Two b) { return {a[0] + b[0], a[1] + b[1]}; }
    friend Two operator-(Two a, Two b) { return {a[0] - b[0], a[1] - b[1]}; }
    friend Two operator*(Two a, Two b) { return {a[0] * b[0], a[1] * b[1]}; }
};
#endif

inline Two two_at(const double* from) {
    Two two;
    std::memcpy(&two, from, sizeof two);
    return two;
}

inline void put_two(double* to, Two two) {
    std::memcpy(to, &two, sizeof two);
}

struct Chains {
    Two first{0.0, 0.0}, second{0.0, 0.0};
    double rest = 0.0;  // what follows the last group of four
    double sum() const { return (first[0] + rest + first[1]) + (second[0] + second[1]); }
};

inline double sum_of(const double* a, std::size_t size) {
    Chains chains;
    std::size_t j = 0;
    for (; j + 4 <= size; j += 4) {
        chains.first = chains.first + two_at(a + j);
        chains.second = chains.second + two_at(a + j + 2);
    }
    for (; j < size; ++j) chains.rest += a[j];
    return chains.sum();
}

inline double dot(const double* a, const double* b, std::size_t size) {
    Chains chains;
    std::size_t j = 0;
    for (; j + 4 <= size; j += 4) {
        chains.first = chains.first + two_at(a + j) * two_at(b + j);
        chains.second = chains.second + two_at(a + j + 2) * two_at(b + j + 2);
    }
    for (; j < size; ++j) chains.rest += a[j] * b[j];
    return chains.sum();
}

// Adds the row to the sums, and gives the sum of the row.
inline double add_row(double* sums, const double* row, std::size_t size) {
    Chains chains;
    std::size_t j = 0;
    for (; j + 4 <= size; j += 4) {
        const Two a = two_at(row + j);
        const Two b = two_at(row + j + 2);
        chains.first = chains.first + a;
        chains.second = chains.second + b;
        put_two(sums + j, two_at(sums + j) + a);
        put_two(sums + j + 2, two_at(sums + j + 2) + b);
    }
    for (; j < size; ++j) {
        chains.rest += row[j];
        sums[j] += row[j];
    }
    return chains.sum();
}

// Adds sign * row to the sums. Gives row . (sums before + sums after); times `sign`, this is how
// much the square of the sums grows.
inline double add_row(double* sums, const double* row, double sign, std::size_t size) {
    Chains chains;
    const Two signs{sign, sign};
    std::size_t j = 0;
    for (; j + 4 <= size; j += 4) {
        const Two row_a = two_at(row + j);
        const Two row_b = two_at(row + j + 2);
        const Two old_a = two_at(sums + j);
        const Two old_b = two_at(sums + j + 2);
        const Two new_a = old_a + signs * row_a;
        const Two new_b = old_b + signs * row_b;
        chains.first = chains.first + (old_a + new_a) * row_a;
        chains.second = chains.second + (old_b + new_b) * row_b;
        put_two(sums + j, new_a);
        put_two(sums + j + 2, new_b);
    }
    for (; j < size; ++j) {
        const double old = sums[j];
        sums[j] += sign * row[j];
        chains.rest += (old + sums[j]) * row[j];
    }
    return chains.sum();
}

}  // namespace ramify
