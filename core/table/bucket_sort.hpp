// Sorts keys with their rows, first into buckets and then each bucket on its own. A bucket fits in
// the cache, so that a key costs about the same in a column of a million rows and of a hundred
// million. Invariant: a sorted bucket ascends by (key, row).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "support/large_memory.hpp"

namespace ramify {

// The upper half of a word is the key, the lower half the row.
using KeyedRow = std::uint64_t;
inline KeyedRow keyed(std::uint32_t key, std::uint32_t row) {
    return (KeyedRow{key} << 32) | row;
}
inline std::uint32_t key_of(KeyedRow word) {
    return static_cast<std::uint32_t>(word >> 32);
}
inline std::uint32_t row_of(KeyedRow word) {
    return static_cast<std::uint32_t>(word);
}

// The number of buckets, as bits: two buckets are one bit. A bucket of average size and its copy
// take half of a cache of one megabyte. More buckets than the most would cost the writing of the
// keys more than they save later.
inline unsigned bucket_bits(std::size_t rows) {
    constexpr std::size_t rows_per_bucket = 32768;
    constexpr unsigned most = 11;
    if (rows <= 4 * rows_per_bucket) return 0;  // all keys and their copy are near enough
    return std::min(most, static_cast<unsigned>(std::bit_width(rows / rows_per_bucket)));
}

// Sorts words whose rows ascend. Gives where the result lies: in `words`, or in `spare`, which has
// the same size. Counts one digit of the key after the other, the lowest first, as few digits as
// the range of the keys needs.
inline std::span<KeyedRow> sort_bucket(std::span<KeyedRow> words, std::span<KeyedRow> spare) {
    constexpr std::size_t few = 256;
    constexpr unsigned most_digit_bits = 11;
    if (words.size() < few) {
        std::sort(words.begin(), words.end());
        return words;
    }
    std::uint32_t low = key_of(words[0]);
    std::uint32_t high = low;
    for (const KeyedRow word : words) {
        low = std::min(low, key_of(word));
        high = std::max(high, key_of(word));
    }
    const auto bits = static_cast<unsigned>(std::bit_width(high - low));
    const unsigned digits = (bits + most_digit_bits - 1) / most_digit_bits;
    if (digits == 0) return words;
    const unsigned width = (bits + digits - 1) / digits;
    const std::uint32_t mask = (std::uint32_t{1} << width) - 1;
    // All digits are counted in one pass. Three digits of 11 bits cover a key.
    std::array<std::array<std::uint32_t, std::size_t{1} << most_digit_bits>, 3> starts;
    for (unsigned digit = 0; digit < digits; ++digit)
        std::fill_n(starts[digit].begin(), std::size_t{mask} + 1, 0u);
    for (const KeyedRow word : words) {
        const std::uint32_t key = key_of(word) - low;
        ++starts[0][key & mask];
        if (digits > 1) ++starts[1][(key >> width) & mask];
        if (digits > 2) ++starts[2][(key >> (2 * width)) & mask];
    }
    for (unsigned digit = 0; digit < digits; ++digit) {
        auto& start = starts[digit];
        const unsigned shift = digit * width;
        const auto place = [&](KeyedRow word) { return ((key_of(word) - low) >> shift) & mask; };
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i <= mask; ++i) sum += std::exchange(start[i], sum);
        for (const KeyedRow word : words) spare[start[place(word)]++] = word;
        std::swap(words, spare);
    }
    return words;
}

}  // namespace ramify
