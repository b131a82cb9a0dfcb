// The start of growth: samples from the problem, entries from the orders of the columns. Invariant:
// that of grower.hpp. Included where a policy is instantiated.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>

#include "grow/grower.hpp"

namespace ramify {

template <typename P>
void Grower<P>::make_samples() {
    const std::size_t rows = problem_.table.rows();
    if constexpr (P::weighted) {
        samples_.weight.assign(rows, 1.0);
        if (!problem_.weights.empty()) {
            samples_.weight.assign(problem_.weights.begin(), problem_.weights.end());
        }
        samples_.support.assign(rows, 1.0);
        if (!problem_.fractions.empty()) {
            samples_.support.assign(problem_.fractions.begin(), problem_.fractions.end());
        }
        if (parameters_.counts_pieces()) {
            samples_.parts.assign(rows, 1.0);
            std::swap(samples_.parts, samples_.support);
        }
        samples_.source.resize(rows);  // spreading adds to it
        std::iota(samples_.source.begin(), samples_.source.end(), 0u);
    }
    if constexpr (!P::classification) {
        double sum = 0.0;
        double weight = 0.0;
        for (std::size_t row = 0; row < rows; ++row) {
            if (!problem_.includes(row)) continue;
            const double w = P::weighted ? samples_.weight[row] : 1.0;
            sum += w * problem_.target[row];
            weight += w;
        }
        // The mean is subtracted from the targets, so that sums lose less to rounding. The median
        // needs the targets as they are.
        centre_ = absolute_ ? 0.0 : sum / weight;
        samples_.target.resize(rows);
        for (std::size_t row = 0; row < rows; ++row)
            samples_.target[row] = problem_.target[row] - centre_;
    }
    side_.assign(rows, 0);
    if (absolute_) ranks_.assign(rows, 0);
}

// The memory of a column of an earlier tree, or none.
template <typename P>
auto Grower<P>::used_column(std::size_t c) -> RawVector<Word> {
    if constexpr (std::is_same_v<Word, std::uint32_t>) {
        if (problem_.memory != nullptr) return problem_.memory->take_column(c);
    }
    return {};
}

template <typename P>
void Grower<P>::make_root(Node& root) {
    const std::size_t rows = problem_.table.rows();
    const bool partial = !problem_.included.empty();
    const auto absent = [&](std::size_t row) {
        return (P::weighted || partial) && !problem_.includes(row);
    };
    const std::size_t present = partial ? static_cast<std::size_t>(std::count_if(
                                              problem_.included.begin(), problem_.included.end(),
                                              [](std::uint8_t included) { return included != 0; }))
                                        : rows;
    const auto entry = [&](std::uint32_t row, bool fresh) {
        std::uint32_t label = 0;
        if constexpr (P::classification) label = static_cast<std::uint32_t>(problem_.labels[row]);
        return Layout::make(row, label, fresh);
    };
    root.block = std::make_shared<Block<Word>>();
    if (problem_.memory != nullptr) root_block_ = root.block;
    root.block->columns.resize(columns_ + (has_rows_ ? 1 : 0));
    root.ranges.resize(root.block->columns.size());
    for_each_index(columns_, parameters_.threads, [&](std::size_t c) {
        interrupt_.poll();
        const Column& column = problem_.table[c];
        const std::size_t hidden_begin = column.mode_begin;
        const std::size_t hidden_end = hidden_[c] ? hidden_begin + column.mode_count : hidden_begin;
        const std::uint32_t* order = column.order.data();
        const std::size_t count = column.order.size();
        RawVector<Word> entries;
        if constexpr (std::is_same_v<Word, std::uint32_t>) {
            // Entries are written over the order, one by one.
            if (problem_.consumed != nullptr) entries = problem_.consumed->take_order(c);
        }
        if (entries.empty()) {
            entries = used_column(c);
            entries.resize(count - (hidden_end - hidden_begin));
        }
        if (coded_[c].values() > 0 && !hidden_[c]) {
            entries.resize(rows);
            root.block->columns[c] = std::move(entries);  // written when a node becomes small
            root.ranges[c] = {0, static_cast<std::uint32_t>(present), 0, true, false};
            return;
        }
        std::uint32_t size = 0;
        bool fresh = true;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t at = order[i];
            fresh = fresh || (at & new_value) != 0;
            if (i >= hidden_begin && i < hidden_end) continue;
            if (i == hidden_end) root.ranges[c].below = size;
            const std::uint32_t row = at & row_mask;
            if (absent(row)) continue;
            entries[size++] = entry(row, fresh);
            fresh = false;
        }
        if (hidden_[c] && hidden_end == count) root.ranges[c].below = size;
        if (!hidden_[c]) root.ranges[c].below = 0;
        root.ranges[c].size = size;
        root.block->columns[c] = std::move(entries);
    });
    NodeStats& stats = root.stats;
    stats.clear(samples_.width());
    if (has_rows_) {
        root.block->columns[columns_] = used_column(columns_);
        root.block->columns[columns_].resize(rows);
    }
    std::uint32_t size = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
        if (absent(row)) continue;
        const Word word = entry(row, true);
        if (has_rows_) root.block->columns[columns_][size] = word;
        ++size;
        stats.template add<P>(samples_, word);
    }
    if (has_rows_) root.ranges[columns_].size = size;
    for (Range& range : root.ranges) {
        if (range.coded) range.size = size;
    }
    stats.template finish<P>();
}

}  // namespace ramify
