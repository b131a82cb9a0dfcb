// The start of growth: samples from the problem, entries from the orders of the columns. Invariant:
// the root has every row that takes part, once in each column where its value is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "evaluate/context.hpp"
#include "grow/memory.hpp"
#include "problem/equal_weights.hpp"
#include "support/parallel.hpp"
#include "targets/packed_labels.hpp"

namespace ramify {

// What every row adds to the sums. Gives the centre that was subtracted from the targets.
template <Target P>
double make_samples(const Problem& problem, Samples& samples) {
    const std::size_t rows = problem.table.rows();
    if constexpr (P::weighted) {
        const auto given_or_one = [&](std::span<const double> given, std::vector<double>& to) {
            to.assign(rows, 1.0);
            if (!given.empty()) to.assign(given.begin(), given.end());
        };
        given_or_one(problem.weights, samples.weight);
        given_or_one(problem.fractions, samples.support);
        if (problem.parameters.counts_pieces()) {
            samples.parts.assign(rows, 1.0);
            std::swap(samples.parts, samples.support);
        }
        samples.source.resize(rows);  // spreading adds to it
        std::iota(samples.source.begin(), samples.source.end(), 0u);
    }
    if constexpr (P::classification) {
        return 0.0;
    } else {
        double sum = 0.0;
        double weight = 0.0;
        for (std::size_t row = 0; row < rows; ++row) {
            if (!problem.includes(row)) continue;
            const double w = P::weighted ? samples.weight[row] : 1.0;
            sum += w * problem.target[row];
            weight += w;
        }
        const Criterion& criterion = *problem.criterion;
        const double centre = criterion.centred() ? sum / weight : 0.0;
        samples.target.resize(rows);
        for (std::size_t row = 0; row < rows; ++row)
            samples.target[row] = problem.target[row] - centre;
        if (by_deviance(criterion)) {
            std::vector<double> deviance(rows, 0.0);
            for (std::size_t row = 0; row < rows; ++row) {
                if (problem.includes(row))
                    deviance[row] = criterion.deviance(problem.target[row], sum / weight);
            }
            samples.deviance = std::make_shared<const std::vector<double>>(std::move(deviance));
            samples.mean = sum / weight;
        }
        return centre;
    }
}

// Rounds parts of rows to a grain if all rows weigh the same, so that sums of parts are exact.
inline void set_grain(const Problem& problem, Samples& samples) {
    if (problem.beginning != nullptr) {
        if (problem.beginning->grain_rows > 0) samples.set_grain(problem.beginning->grain_rows);
        return;
    }
    const std::size_t rows = rows_of_equal_weight(problem);
    if (rows > 0) samples.set_grain(rows);
}

template <Target P>
class Root {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Node = OpenNode<Word>;

    // `lists_rows`: there is an extra column that lists all rows of a node.
    Root(const Context<P>& context, bool lists_rows)
        : context_(context), problem_(context.problem), lists_rows_(lists_rows) {}

    void make(Node& root) const {
        const std::size_t columns = problem_.table.size();
        root.block = std::make_shared<Block<Word>>();
        root.block->columns.resize(columns + (lists_rows_ ? 1 : 0));
        root.ranges.resize(root.block->columns.size());
        const PackedLabels labels = pack_labels();
        for_each_index(columns, context_.parameters.threads, [&](std::size_t c) {
            context_.interrupt.poll();
            make_column(root, c, labels);
        });
        NodeStats& stats = root.stats;
        stats.clear(context_.samples.width());
        RawVector<Word>* list = nullptr;
        if (lists_rows_) {
            list = &root.block->columns[columns];
            *list = used_column(columns);
            list->resize(problem_.table.rows());
        }
        std::uint32_t size = 0;
        for (std::uint32_t row = 0; row < problem_.table.rows(); ++row) {
            if (absent(row)) continue;
            const Word word = entry(row, labels, true);
            if (list != nullptr) (*list)[size] = word;
            ++size;
            stats.template add<P>(context_.samples, word);
        }
        if (lists_rows_) root.ranges[columns].size = size;
        for (Range& range : root.ranges) {
            if (range.coded) range.size = size;
        }
        stats.template finish<P>();
    }

  private:
    bool absent(std::size_t row) const {
        return (P::weighted || !problem_.included.empty()) && !problem_.includes(row);
    }
    PackedLabels pack_labels() const {
        if constexpr (P::classification) return {problem_.labels, problem_.classes};
        return {};
    }
    static Word entry(std::uint32_t row, const PackedLabels& labels, bool fresh) {
        return Layout::make(row, P::classification ? labels[row] : 0u, fresh);
    }
    // The memory of a column of an earlier tree, or none.
    RawVector<Word> used_column(std::size_t c) const {
        if constexpr (std::is_same_v<Word, std::uint32_t>) {
            if (problem_.memory != nullptr) return problem_.memory->take_column(c);
        }
        return {};
    }

    void make_column(Node& root, std::size_t c, const PackedLabels& labels) const {
        const Column& column = problem_.table[c];
        const bool sparse = context_.sparse[c];
        const std::size_t mode_begin = column.mode_begin;
        const std::size_t mode_end = sparse ? mode_begin + column.mode_count : mode_begin;
        const std::uint32_t* order = column.order.data();
        const std::size_t count = column.order.size();
        RawVector<Word> entries;
        if constexpr (std::is_same_v<Word, std::uint32_t>) {
            // Entries are written over the order, one by one.
            if (problem_.consumed != nullptr) entries = problem_.consumed->take_order(c);
        }
        if (entries.empty()) {
            entries = used_column(c);
            entries.resize(count - (mode_end - mode_begin));
        }
        Range& range = root.ranges[c];
        if (context_.cells.codes(c).values() > 0 && !sparse) {
            entries.resize(problem_.table.rows());
            root.block->columns[c] = std::move(entries);  // written when a node becomes small
            range.coded = true;                           // its size is that of the root
            return;
        }
        constexpr std::size_t ahead = 32;  // rows; about the time that memory takes
        std::uint32_t size = 0;
        bool fresh = true;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t at = order[i];
            if constexpr (P::classification)
                labels.fetch(order[std::min(i + ahead, count - 1)] & row_mask);
            fresh = fresh || (at & new_value) != 0;
            if (i >= mode_begin && i < mode_end) continue;
            if (i == mode_end) range.below = size;
            const std::uint32_t row = at & row_mask;
            if (absent(row)) continue;
            entries[size++] = entry(row, labels, fresh);
            fresh = false;
        }
        if (sparse && mode_end == count) range.below = size;
        if (!sparse) range.below = 0;
        range.size = size;
        root.block->columns[c] = std::move(entries);
    }

    const Context<P>& context_;
    const Problem& problem_;
    bool lists_rows_;
};

}  // namespace ramify
