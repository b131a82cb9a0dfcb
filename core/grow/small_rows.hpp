// The rows of a node in a buffer that stays in the first-level cache, numbered from zero.
// Invariant: column c of a node lies at entries(c, range), the same range in every column, in value
// order. Columns that are constant in the node that was loaded are not there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns/partition.hpp"
#include "evaluate/context.hpp"
#include "grow/small_node.hpp"
#include "node/open_node.hpp"

namespace ramify {

template <Target P>
class SmallRows {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    explicit SmallRows(const Context<P>& context)
        : context_(context),
          samples_(context.problem.classes),
          buffer_(context.problem.table.size() * most_small_rows) {}

    // Copies the rows of an open node. `map` has a byte per sample; those of the node's samples are
    // overwritten.
    void load(const OpenNode<Word>& node, std::uint8_t* map) {
        const auto size = static_cast<std::size_t>(node.stats.rows);
        const Word* members = members_of(node);
        number(members, size, map);
        varying_.clear();
        for (std::size_t c = 0; c < context_.problem.table.size(); ++c) {
            const Range& range = node.ranges[c];
            if (range.constant) continue;
            varying_.push_back(static_cast<std::uint16_t>(c));
            Word* to = column(c);
            if (range.coded) {
                order_by_code(context_.cells.codes(c), members, map, to);
                continue;
            }
            const Word* from = node.block->columns[c].data() + range.begin;
            if (range.size == size) {
                for (std::size_t i = 0; i < size; ++i) to[i] = numbered(from[i], map);
            } else {
                show_mode(range, from, members, map, to);
            }
        }
    }
    // The columns that are not constant in the node that was loaded.
    const std::vector<std::uint16_t>& varying() const { return varying_; }
    // The entries on the left of the split of the node that was loaded.
    std::size_t position_of_split(const OpenNode<Word>& node) const {
        const auto c = static_cast<std::size_t>(node.column);
        const Boundary& boundary = node.best.boundary;
        if (node.best.counted) {
            const auto& codes = context_.cells.codes(c).codes;
            return static_cast<std::size_t>(std::count_if(
                rows_.begin(), rows_.end(),
                [&](std::uint32_t row) { return codes[row] <= node.best.lower_code; }));
        }
        // The rows of a hidden mode have no entry.
        const std::size_t hidden = boundary.mode_left ? rows_.size() - node.ranges[c].size : 0;
        return boundary.position + hidden;
    }

    // What the rows bring, by their numbers here.
    const Samples& samples() const { return samples_; }
    const Word* entries(std::size_t c, SmallRange range) const {
        return buffer_.data() + c * most_small_rows + range.begin;
    }
    // The row of the table that an entry belongs to.
    std::uint32_t row_of(Word entry) const { return rows_[Layout::row(entry)]; }
    bool varies(std::size_t c, SmallRange range) const {
        const Word* values = entries(c, range);
        bool varies = false;
        for (std::size_t i = 1; i < range.size && !varies; ++i) varies = Layout::fresh(values[i]);
        return varies;
    }

    // Notes on which side of a split the rows of a node are.
    void mark(SmallRange range, const SmallSplit& split) {
        const Word* cut = entries(split.column, range);
        for (std::size_t i = 0; i < range.size; ++i)
            side_[Layout::row(cut[i])] = i >= split.position;
    }
    // Divides a column of a node between its two children, by the sides that were noted. The
    // entries of a child that is not kept are lost.
    void divide(std::size_t c, SmallRange range, bool keep_left, bool keep_right) {
        partition_kept<Layout>(column(c) + range.begin, range.size, 0, BySide<Layout>{side_.data()},
                               spare_.data(), keep_left, keep_right,
                               context_.problem.table[c].all_distinct);
    }

  private:
    Word* column(std::size_t c) { return buffer_.data() + c * most_small_rows; }
    // Any column that has all rows will do where they are not listed.
    const Word* members_of(const OpenNode<Word>& node) const {
        const bool listed = context_.rows_column < node.ranges.size();
        const auto c = listed ? context_.rows_column : static_cast<std::size_t>(node.column);
        return node.block->columns[c].data() + node.ranges[c].begin;
    }
    static Word numbered(Word entry, const std::uint8_t* map) {
        return Layout::with_row(entry, map[Layout::row(entry)]);
    }
    static Word not_fresh(Word entry) { return entry & static_cast<Word>(~Layout::fresh_bit); }

    void number(const Word* members, std::size_t size, std::uint8_t* map) {
        const Samples& samples = context_.samples;
        rows_.resize(size);
        if constexpr (!P::classification) samples_.target.resize(size);
        if (samples.deviance) {
            samples_.deviance = samples.deviance;
            samples_.source.resize(size);
        }
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint32_t sample = Layout::row(members[i]);
            rows_[i] = samples.source_row(sample);
            if (samples.deviance) samples_.source[i] = rows_[i];
            map[sample] = static_cast<std::uint8_t>(i);
            if constexpr (!P::classification) samples_.target[i] = samples.target[sample];
        }
    }

    // Sorts the rows by code: by counting if there are few codes, by comparing otherwise.
    void order_by_code(const CodedColumn& coded, const Word* members, const std::uint8_t* map,
                       Word* to) const {
        const std::size_t size = rows_.size();
        const auto put = [&](std::size_t at, std::size_t member) {
            to[at] = numbered(not_fresh(members[member]), map);
        };
        if (coded.values() <= 4 * most_small_rows) {
            std::uint16_t start[4 * most_small_rows + 1] = {};
            for (const std::uint32_t row : rows_) ++start[coded.codes[row] + 1];
            for (std::size_t code = 0; code < coded.values(); ++code)
                start[code + 1] += start[code];
            for (std::size_t i = 0; i < size; ++i) put(start[coded.codes[rows_[i]]]++, i);
        } else {
            std::uint32_t keys[most_small_rows];
            for (std::size_t i = 0; i < size; ++i) {
                keys[i] =
                    (std::uint32_t{coded.codes[rows_[i]]} << 8) | static_cast<std::uint32_t>(i);
            }
            std::sort(keys, keys + size);
            for (std::size_t i = 0; i < size; ++i) put(i, keys[i] & 255u);
        }
        for (std::size_t i = 0; i < size; ++i) {
            const auto code = [&](std::size_t at) { return coded.codes[row_of(to[at])]; };
            if (i == 0 || code(i) != code(i - 1)) to[i] |= Layout::fresh_bit;
        }
    }

    // Copies a sparse column. The rows of its hidden mode, which have no entry, get one.
    void show_mode(const Range& range, const Word* from, const Word* members,
                   const std::uint8_t* map, Word* to) const {
        bool present[most_small_rows] = {};
        for (std::size_t i = 0; i < range.size; ++i) present[map[Layout::row(from[i])]] = true;
        for (std::size_t i = 0; i < range.below; ++i) *to++ = numbered(from[i], map);
        bool fresh = true;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (present[i]) continue;
            const Word entry = numbered(not_fresh(members[i]), map);
            *to++ = fresh ? entry | Layout::fresh_bit : entry;
            fresh = false;
        }
        for (std::size_t i = range.below; i < range.size; ++i) *to++ = numbered(from[i], map);
    }

    const Context<P>& context_;
    Samples samples_;
    std::vector<std::uint32_t> rows_;  // of the table
    std::vector<std::uint16_t> varying_;
    std::vector<Word> buffer_;
    std::array<std::uint8_t, most_small_rows> side_{};
    std::array<Word, most_small_rows> spare_{};
};

}  // namespace ramify
