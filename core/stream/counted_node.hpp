// A node of growth in memory, made from counts: in every column, a value is a row of a small table,
// and its samples weigh what was counted. Invariant: the searches see the sums of every value, so
// they find what they would find on the rows themselves.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "evaluate/context.hpp"
#include "stream/top.hpp"

namespace ramify {

// A value of a column with its rows.
struct CountedValue {
    double value = 0.0;  // of a numeric column
    std::int32_t code = 0;
    bool exact = true;  // false: a cell between edges, of which only the sums are known
    const std::int64_t* channels = nullptr;
};

// The values of a column in ascending order, and the rows without one.
struct CountedColumn {
    std::vector<CountedValue> values;
    const std::int64_t* holes = nullptr;  // null: no row lacks a value
};

inline CountedColumn counted_column(const ColumnCounts& counts, bool numeric,
                                    const Channels& channels) {
    CountedColumn column;
    const std::size_t width = channels.count();
    const std::size_t cells = counts.cells.size() / width - 1;
    const std::int64_t* first = counts.cells.data();
    if (!channels.empty(first + cells * width)) column.holes = first + cells * width;
    std::size_t next = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const std::int64_t* at = first + cell * width;
        if (channels.empty(at)) continue;
        const bool edge = counts.edge_cells && cell % 2 == 1;
        const std::size_t upper = counts.edge_cells ? cell / 2 : cell;  // the next edge
        if (!numeric) {
            column.values.push_back({0.0, static_cast<std::int32_t>(cell), true, at});
        } else if (!counts.opened.empty() && counts.opened[cell] != 0) {
            // All values below the next edge, or above the last.
            const double end = upper < counts.edges.size()
                                   ? counts.edges[upper]
                                   : std::numeric_limits<double>::infinity();
            const bool last = upper >= counts.edges.size();
            while (next < counts.values.size() && (last || counts.values[next] < end)) {
                column.values.push_back(
                    {counts.values[next], 0, true, counts.channels.data() + next * width});
                ++next;
            }
        } else {
            const double value = edge         ? counts.edges[upper]
                                 : upper == 0 ? -std::numeric_limits<double>::infinity()
                                              : counts.edges[upper - 1];
            column.values.push_back({value, 0, edge, at});
        }
    }
    if (next != counts.values.size())
        throw std::invalid_argument("values lie outside the cells that were opened");
    return column;
}

template <Target P>
class CountedNode {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    // `stats`: of the node. The problem has the kinds and levels of the columns.
    CountedNode(const Problem& problem, const TopGiven& given, const NodeStats& stats,
                std::vector<CountedColumn> columns, Interrupt& interrupt)
        : columns_(std::move(columns)), given_(given), samples_(problem.classes) {
        std::size_t rows = 1;
        for (const CountedColumn& column : columns_) rows = std::max(rows, column.values.size());
        table_ = std::make_unique<Table>(rows);
        make_table(problem, interrupt);
        node.stats = stats;
        make_samples(stats);
    }

    const Table& table() const { return *table_; }
    const Samples& samples() const { return samples_; }
    const CountedColumn& column(std::size_t c) const { return columns_[c]; }

    OpenNode<Word> node;

  private:
    void make_table(const Problem& problem, Interrupt& interrupt) {
        const std::size_t rows = table_->rows();
        numbers_.resize(columns_.size());
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const Column& like = problem.table[c];
            const auto& values = columns_[c].values;
            if (like.kind == Kind::numeric) {
                numbers_[c].assign(rows, std::numeric_limits<double>::quiet_NaN());
                for (std::size_t i = 0; i < values.size(); ++i) numbers_[c][i] = values[i].value;
                table_->add_numeric({StridedDoubles{numbers_[c].data(), 1}}, 1, interrupt);
            } else {
                std::vector<std::int32_t> codes(rows, -1);
                for (std::size_t i = 0; i < values.size(); ++i) codes[i] = values[i].code;
                table_->add_codes(like.kind, std::move(codes), like.levels);
            }
        }
    }

    // Every value has a sample per class or, for numbers, two that have its moments.
    void make_samples(const NodeStats& stats) {
        node.block = std::make_shared<Block<Word>>();
        node.block->columns.resize(columns_.size());
        node.ranges.resize(columns_.size());
        std::vector<double> sums(samples_.width());
        // A column has holes at a node if it has fewer entries than the node has rows.
        std::size_t most = 1;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            auto& entries = node.block->columns[c];
            for (std::size_t i = 0; i < columns_[c].values.size(); ++i) {
                const std::int64_t* channels = columns_[c].values[i].channels;
                given_.channels.sums(channels, sums.data());
                add_value(static_cast<std::uint32_t>(i), sums.data(),
                          given_.channels.support(channels), entries);
            }
            if (columns_[c].holes != nullptr) most = std::max(most, entries.size() + 1);
        }
        node.stats.rows = static_cast<std::int64_t>(most);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            auto& entries = node.block->columns[c];
            if (columns_[c].holes == nullptr && entries.empty())
                throw std::invalid_argument("a column of an open node has no counts");
            while (columns_[c].holes == nullptr && entries.size() < most) {
                // One more sample of the last value, of no weight.
                const Word last = entries.back() & static_cast<Word>(~Layout::fresh_bit);
                const std::uint32_t sample = Layout::row(last);
                entries.push_back(Layout::with_row(
                    last, add_sample(samples_.source[sample], 0.0, 0.0, target_of(sample))));
            }
            node.ranges[c].size = static_cast<std::uint32_t>(entries.size());
        }
        samples_.mean = given_.mean;
        (void)stats;
    }
    double target_of(std::uint32_t sample) const {
        return P::classification ? 0.0 : samples_.target[sample];
    }
    std::uint32_t add_sample(std::uint32_t row, double weight, double support, double target) {
        const auto sample = static_cast<std::uint32_t>(samples_.weight.size());
        samples_.weight.push_back(weight);
        samples_.support.push_back(support);
        samples_.source.push_back(row);
        if constexpr (!P::classification) samples_.target.push_back(target);
        return sample;
    }
    void add_value(std::uint32_t row, const double* sums, double support,
                   RawVector<Word>& entries) {
        bool fresh = true;
        const auto add = [&](std::uint32_t label, double weight, double of_support, double target) {
            entries.push_back(
                Layout::make(add_sample(row, weight, of_support, target), label, fresh));
            fresh = false;
        };
        if constexpr (P::classification) {
            for (std::size_t j = 0; j < samples_.classes; ++j) {
                if (sums[j] > 0.0)
                    add(static_cast<std::uint32_t>(j), sums[j], fresh ? support : 0.0, 0.0);
            }
        } else {
            const double mean = sums[1] / sums[0];
            const double spread = std::sqrt(std::max(0.0, sums[2] / sums[0] - mean * mean));
            if (spread > 0.0) {
                add(0, sums[0] / 2, support / 2, mean - spread);
                add(0, sums[0] / 2, support / 2, mean + spread);
            } else {
                add(0, sums[0], support, mean);
            }
        }
    }

    std::vector<CountedColumn> columns_;
    const TopGiven& given_;
    Samples samples_;
    std::unique_ptr<Table> table_;
    std::vector<std::vector<double>> numbers_;
};

}  // namespace ramify
