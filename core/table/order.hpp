// The rows of a column in the order of its values: the form in which the core keeps every column.
// Invariant: rows ascend by (value, row); missing cells are left out; the bit `new_value` is set
// exactly on the first row of each distinct value. Runs of equal values are the rows of the
// column's contingency table.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "support/large_memory.hpp"

namespace ramify {

inline constexpr std::uint32_t new_value = 0x80000000u;
inline constexpr std::uint32_t row_mask = 0x7fffffffu;

// The types of numbers that a column can be read from without a copy.
template <typename T>
concept Number = std::same_as<T, double> || std::same_as<T, float>;

// A column of numbers inside somebody else's memory: any stride, not owned.
template <Number T>
struct Strided {
    const T* data = nullptr;
    std::ptrdiff_t stride = 1;  // in elements
    double operator[](std::size_t row) const {
        return data[static_cast<std::ptrdiff_t>(row) * stride];
    }
};

// The same of either type. Invariant: at most one of the pointers is set.
struct StridedNumbers {
    const double* doubles = nullptr;
    const float* floats = nullptr;
    std::ptrdiff_t stride = 1;  // in elements

    StridedNumbers() = default;
    StridedNumbers(const double* data, std::ptrdiff_t step) : doubles(data), stride(step) {}
    StridedNumbers(const float* data, std::ptrdiff_t step) : floats(data), stride(step) {}

    double operator[](std::size_t row) const {
        const auto at = static_cast<std::ptrdiff_t>(row) * stride;
        return floats != nullptr ? static_cast<double>(floats[at]) : doubles[at];
    }
    template <Number T>
    Strided<T> as() const {
        if constexpr (std::same_as<T, float>) return {floats, stride};
        if constexpr (std::same_as<T, double>) return {doubles, stride};
    }
};

// An order and what its runs say.
struct Ordered {
    RawVector<std::uint32_t> order;
    bool all_distinct = true;    // no value occurs twice
    std::size_t mode_begin = 0;  // the run of the most frequent value, the first of equals
    std::size_t mode_count = 0;
    std::uint32_t mode_row = 0;  // a row that has it

    // Must be called for every run, in order.
    void run(std::size_t begin, std::size_t end) {
        if (end - begin > 1) all_distinct = false;
        if (end - begin <= mode_count) return;
        mode_begin = begin;
        mode_count = end - begin;
        mode_row = order[begin] & row_mask;
    }
};

// Buffers of the sort, reused from column to column.
struct OrderWorkspace {
    LargeVector<std::uint64_t> keys, spare;
    RawVector<std::uint32_t> upper_rows;
    std::vector<std::uint32_t> start;
};

// What the values of a column have in common.
struct Summary {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    bool whole = true;  // whole numbers, none of them huge

    template <Number T>
    void add(const T* values, std::size_t count);
};

// NaN is missing; infinities are ordinary values; -0.0 equals 0.0.
template <Number T>
Ordered order_of_values(std::span<const T> values, const Summary& summary,
                        OrderWorkspace& workspace);

// Negative codes are missing.
Ordered order_of_codes(std::span<const std::int32_t> codes, std::size_t levels);

// Whole numbers of a small range, none missing: counts, indicators, grades. Most columns of most
// tables hold such numbers. At two bytes each they are sorted many times faster than doubles.
using SmallNumber = std::int16_t;

// False if one of the values is not a small number; then the output is useless.
template <Number T>
bool to_small_numbers(Strided<T> values, std::size_t begin, std::size_t end, SmallNumber* to);
Ordered order_of_small_numbers(std::span<const SmallNumber> numbers, OrderWorkspace& workspace);

}  // namespace ramify
