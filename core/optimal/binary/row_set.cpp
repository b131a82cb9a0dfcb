#include "optimal/binary/row_set.hpp"

#include <algorithm>
#include <bit>

namespace ramify::optimal::binary {
namespace {

constexpr std::size_t bits_of_word = 64;

std::size_t round_up(std::size_t value, std::size_t to) {
    return (value + to - 1) / to * to;
}

}  // namespace

template <typename T>
void RowSet<T>::fill(const Source& source, const Word* mask, std::int64_t min_leaf, bool keep_all) {
    const std::size_t classes = source.segment.size() - 1;
    constexpr std::size_t lane_bits = sizeof(T) * 8;
    segment_.assign(1, 0);
    lane_segment_.assign(1, 0);
    total.resize(classes);
    rows = 0;
    for (std::size_t c = 0; c < classes; ++c) {
        std::size_t count = 0;
        for (std::size_t w = source.segment[c]; w < source.segment[c + 1]; ++w) {
            count += static_cast<std::size_t>(std::popcount(mask[w]));
        }
        total[c] = static_cast<T>(count);
        rows += static_cast<std::int64_t>(count);
        segment_.push_back(segment_.back() + (count + bits_of_word - 1) / bits_of_word);
        lane_segment_.push_back(lane_segment_.back() + (count + lane_bits - 1) / lane_bits);
    }
    const std::size_t words = segment_.back();
    every_row_.assign(words, 0);
    for (std::size_t c = 0; c < classes; ++c) {
        std::size_t left = total[c];
        for (std::size_t w = segment_[c]; w < segment_[c + 1]; ++w) {
            every_row_[w] = left >= bits_of_word ? ~Word{0} : (Word{1} << left) - 1;
            left -= std::min(left, bits_of_word);
        }
    }
    packed_.resize(source.count * words + 1);
    ones_.resize(source.count * classes);
    ids.clear();
    if (!keep_all) {
        table_.assign(std::bit_ceil(2 * source.count + 1), -1);
        hash_.resize(source.count);
    }
    for (std::size_t f = 0; f < source.count; ++f) {
        const std::size_t at = ids.size();
        T* ones = ones_.data() + at * classes;
        kernels_.compress(source.bits + f * source.words, mask, source.segment.data(), classes,
                          packed_.data() + at * words, ones);
        if (!keep_all) {
            std::int64_t with = 0;
            for (std::size_t c = 0; c < classes; ++c) with += ones[c];
            if (std::min(with, rows - with) < min_leaf || seen_before(at, words)) continue;
        }
        ids.push_back(static_cast<std::int32_t>(f));
    }
    transpose();
}

// Whether a feature kept before splits the rows like the one at `at`. If not, remembers the latter.
template <typename T>
bool RowSet<T>::seen_before(std::size_t at, std::size_t words) {
    const Word* bits = packed_.data() + at * words;
    const Word flip = bits[0] & 1 ? ~Word{0} : 0;  // opposites are alike: row 0 is made 0
    std::uint64_t hash = 0x243f6a8885a308d3u;
    for (std::size_t w = 0; w < words; ++w) {
        hash = (hash ^ ((bits[w] ^ flip) & every_row_[w])) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = hash & mask;
    for (; table_[slot] >= 0; slot = (slot + 1) & mask) {
        const auto other = static_cast<std::size_t>(table_[slot]);
        if (hash_[other] != hash) continue;
        const Word* those = packed_.data() + other * words;
        const Word opposite = (those[0] ^ bits[0]) & 1 ? ~Word{0} : 0;
        bool alike = true;
        for (std::size_t w = 0; w < words && alike; ++w) {
            alike = ((bits[w] ^ those[w] ^ opposite) & every_row_[w]) == 0;
        }
        if (alike) return true;
    }
    table_[slot] = static_cast<std::int32_t>(at);
    hash_[at] = hash;
    return false;
}

template <typename T>
void RowSet<T>::transpose() {
    constexpr std::size_t lanes = 64 / sizeof(T);
    constexpr std::size_t parts = bits_of_word / (sizeof(T) * 8);
    const std::size_t classes = total.size();
    const std::size_t words = segment_.back();
    stride_ = round_up(std::max<std::size_t>(ids.size(), 1), lanes);
    single.assign(classes * stride_, 0);
    bits_.assign(lane_segment_.back() * stride_, 0);
    for (std::size_t f = 0; f < ids.size(); ++f) {
        const Word* packed = packed_.data() + f * words;
        for (std::size_t c = 0; c < classes; ++c) {
            single[c * stride_ + f] = ones_[f * classes + c];
            const std::size_t count = lane_segment_[c + 1] - lane_segment_[c];
            T* to = bits_.data() + lane_segment_[c] * stride_ + f;
            for (std::size_t i = 0; i < count; ++i) {
                to[i * stride_] =
                    static_cast<T>(packed[segment_[c] + i / parts] >> (i % parts * sizeof(T) * 8));
            }
        }
    }
}

template <typename T>
PairSet<T> RowSet<T>::set(std::int64_t min_leaf) const {
    PairSet<T> out;
    out.features = out.to = ids.size();
    out.stride = stride_;
    out.classes = total.size();
    out.bits = bits_.data();
    out.segment = lane_segment_.data();
    out.single = single.data();
    out.total = total.data();
    out.min_leaf = static_cast<T>(
        std::min<std::int64_t>(min_leaf, static_cast<std::int64_t>(static_cast<T>(~T{0}))));
    return out;
}

template class RowSet<std::uint16_t>;
template class RowSet<std::uint32_t>;

}  // namespace ramify::optimal::binary
