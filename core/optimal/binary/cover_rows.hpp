// The rows of a cover one by one, and the features that divide them. Invariant: a feature leaves
// enough rows on both sides.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "optimal/binary/binary_table.hpp"

namespace ramify::optimal::binary {

inline std::vector<std::size_t> places_of(const BinaryTable& table, const Word* cover) {
    std::vector<std::size_t> places;
    for (std::size_t w = 0; w < table.words(); ++w) {
        for (Word rest = cover[w]; rest; rest &= rest - 1) {
            places.push_back(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        }
    }
    return places;
}

inline std::vector<std::int32_t> dividing_features(const BinaryTable& table, const Word* cover,
                                                   std::int64_t rows, std::int64_t least) {
    std::vector<std::int32_t> features;
    for (std::size_t f = 0; f < table.features(); ++f) {
        std::int64_t with = 0;
        for (std::size_t w = 0; w < table.words(); ++w) {
            with += std::popcount(cover[w] & table.feature(f)[w]);
        }
        if (std::min(with, rows - with) >= least) features.push_back(static_cast<std::int32_t>(f));
    }
    return features;
}

}  // namespace ramify::optimal::binary
