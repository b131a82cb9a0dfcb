// One row of a column while a tree grows: row number, class and a mark in one machine word. A scan
// of a column in value order reads memory straight through and looks nothing up. Invariant: the top
// bit is set exactly on the first entry of each distinct value within a node's segment.
#pragma once

#include <concepts>
#include <cstdint>

#include "support/choices.hpp"

namespace ramify {

template <std::unsigned_integral Word_, unsigned row_bits>
struct EntryLayout {
    using Word = Word_;
    static constexpr unsigned top = sizeof(Word) * 8 - 1;
    static constexpr Word fresh_bit = Word{1} << top;
    static constexpr Word row_mask = (Word{1} << row_bits) - 1;
    static constexpr std::uint64_t max_rows = std::uint64_t{row_mask} + 1;
    static constexpr std::uint64_t max_labels = std::uint64_t{1} << (top - row_bits);

    static bool fresh(Word entry) { return (entry >> top) != 0; }
    static std::uint32_t row(Word entry) { return static_cast<std::uint32_t>(entry & row_mask); }
    static std::uint32_t label(Word entry) {
        return static_cast<std::uint32_t>((entry & static_cast<Word>(~fresh_bit)) >> row_bits);
    }
    static Word make(std::uint32_t row, std::uint32_t label, bool fresh) {
        return static_cast<Word>((fresh ? fresh_bit : 0) | (static_cast<Word>(label) << row_bits) |
                                 row);
    }
    static Word with_row(Word entry, std::uint32_t row) {
        return static_cast<Word>((entry & static_cast<Word>(~row_mask)) | row);
    }
};

using CompactEntry = EntryLayout<std::uint32_t, 24>;  // up to 16.7 million rows and 128 classes
using LongEntry = EntryLayout<std::uint32_t, 28>;     // up to 268 million rows and 8 classes
using RowEntry = EntryLayout<std::uint32_t, 31>;      // no class
using WideEntry = EntryLayout<std::uint64_t, 32>;

// The layouts of classes without weights, the ones that take less first.
enum class Entries : std::uint8_t { compact, tall, wide };
template <>
inline constexpr auto names_of<Entries> = list_names("compact", "long", "wide");

constexpr bool fits(Entries entries, std::uint64_t rows, std::uint64_t classes) {
    const auto within = [&]<typename Layout>(Layout) {
        return rows <= Layout::max_rows && classes <= Layout::max_labels;
    };
    if (entries == Entries::compact) return within(CompactEntry{});
    return entries == Entries::tall ? within(LongEntry{}) : within(WideEntry{});
}
// The first layout that holds the rows and classes.
constexpr Entries smallest_entries(std::uint64_t rows, std::uint64_t classes) {
    if (fits(Entries::compact, rows, classes)) return Entries::compact;
    return fits(Entries::tall, rows, classes) ? Entries::tall : Entries::wide;
}

}  // namespace ramify
