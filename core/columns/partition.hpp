// Sends the entries of a node to its children, keeping value order: no column is ever sorted again.
// Invariant: if the first entry of a value goes to another child, its `fresh` bit passes to the
// next entry of that value in this child.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "node/entry.hpp"
#include "support/prefetch.hpp"

namespace ramify {

struct BinaryCounts {
    std::size_t left = 0;
    std::size_t left_below = 0;
};

// Where an entry goes: 1 is right.
template <typename Layout>
struct BySide {
    const std::uint8_t* side;  // per sample
    void fetch(typename Layout::Word entry) const { prefetch_line(side + Layout::row(entry)); }
    std::size_t operator()(typename Layout::Word& entry) const { return side[Layout::row(entry)]; }
};

// The same from one bit per sample. Where a byte per sample would not fit in the cache, this reads
// faster.
template <typename Layout>
struct ByBit {
    const std::uint8_t* bits;
    void fetch(typename Layout::Word entry) const { prefetch_line(bits + Layout::row(entry) / 8); }
    std::size_t operator()(typename Layout::Word& entry) const {
        const std::uint32_t row = Layout::row(entry);
        return (bits[row / 8] >> (row % 8)) & 1u;
    }
};

// The same for samples that are renumbered on the way. Those of the right child follow those of the
// left one.
template <typename Layout>
struct ByPlace {
    const std::uint32_t* place;  // per sample
    std::uint32_t first_right;
    void fetch(typename Layout::Word entry) const { prefetch_line(place + Layout::row(entry)); }
    std::size_t operator()(typename Layout::Word& entry) const {
        const std::uint32_t to = place[Layout::row(entry)];
        entry = Layout::with_row(entry, to);
        return to >= first_right;
    }
};

// Two children, in place. A child that will not be split again is not written, but its count is
// right. `send` is a copy, so that writing entries cannot change it.
template <typename Layout, bool keep_left, bool keep_right, bool all_distinct, typename Send>
BinaryCounts partition_two(typename Layout::Word* entries, std::size_t size, std::size_t below,
                           Send send, typename Layout::Word* spare) {
    using Word = typename Layout::Word;
    constexpr std::size_t ahead = 32;  // entries; about the time that memory takes
    std::size_t left = 0;
    std::size_t right = 0;
    BinaryCounts counts;
    Word pending_left = Layout::fresh_bit;
    Word pending_right = Layout::fresh_bit;
    // Below the mode, then above it. A function called twice would keep the state of the loop in
    // memory.
    std::size_t i = 0;
    for (const std::size_t end : {below, size}) {
        counts.left_below = left;  // of the first pass, at the second
        for (; i < end; ++i) {
            Word entry = entries[i];
            // What an entry looks up lies anywhere among the samples.
            send.fetch(entries[std::min(i + ahead, size - 1)]);
            const std::size_t goes_right = send(entry);
            if constexpr (all_distinct) {
                if constexpr (keep_left) entries[left] = entry;
                if constexpr (keep_right) spare[right] = entry;
            } else {
                const Word fresh = entry & Layout::fresh_bit;
                const Word mask = static_cast<Word>(0) - static_cast<Word>(goes_right);
                if constexpr (keep_left) {
                    entries[left] = entry | pending_left;
                    pending_left = (pending_left | fresh) & mask;
                }
                if constexpr (keep_right) {
                    spare[right] = entry | pending_right;
                    pending_right = (pending_right | fresh) & static_cast<Word>(~mask);
                }
            }
            left += 1 - goes_right;
            right += goes_right;
        }
    }
    counts.left = left;
    if constexpr (keep_right) std::copy_n(spare, right, entries + left);
    return counts;
}

// Calls partition_two with what is known only at run time.
template <typename Layout, typename Send>
BinaryCounts partition_kept(typename Layout::Word* entries, std::size_t size, std::size_t below,
                            const Send& send, typename Layout::Word* spare, bool left, bool right,
                            bool all_distinct) {
    const auto call = [&]<bool keep_left, bool keep_right>() {
        return all_distinct ? partition_two<Layout, keep_left, keep_right, true>(entries, size,
                                                                                 below, send, spare)
                            : partition_two<Layout, keep_left, keep_right, false>(
                                  entries, size, below, send, spare);
    };
    if (left && right) return call.template operator()<true, true>();
    if (left) return call.template operator()<true, false>();
    return call.template operator()<false, true>();
}

// Any number of children, in place. `child` is indexed by row. Returns the size of each child and
// of its part below the mode.
template <typename Layout>
void partition_many(typename Layout::Word* entries, std::size_t size, std::size_t below,
                    const std::uint32_t* child, std::vector<typename Layout::Word>& spare,
                    std::span<std::uint32_t> sizes, std::span<std::uint32_t> sizes_below) {
    using Word = typename Layout::Word;
    std::fill(sizes.begin(), sizes.end(), 0);
    std::fill(sizes_below.begin(), sizes_below.end(), 0);
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t c = child[Layout::row(entries[i])];
        ++sizes[c];
        if (i < below) ++sizes_below[c];
    }
    std::vector<std::uint32_t> next(sizes.size());
    std::vector<std::uint32_t> seen(sizes.size(),
                                    0);  // number of the last value that reached the child
    std::uint32_t sum = 0;
    for (std::size_t c = 0; c < sizes.size(); ++c) {
        next[c] = sum;
        sum += sizes[c];
    }
    spare.resize(std::max(spare.size(), size));
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
        Word entry = entries[i];
        if (Layout::fresh(entry)) ++value;
        const std::uint32_t c = child[Layout::row(entry)];
        entry &= static_cast<Word>(~Layout::fresh_bit);
        if (seen[c] != value) entry |= Layout::fresh_bit;
        seen[c] = value;
        spare[next[c]++] = entry;
    }
    std::copy_n(spare.data(), size, entries);
}

}  // namespace ramify
