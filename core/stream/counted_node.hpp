// A node of growth in memory, made from counts: in every column, a value is a row of a small table,
// and its samples weigh what was counted. Columns that were not counted have no value in any row.
// Invariant: the searches see the sums of every value, so they find what they would find on the
// rows themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "evaluate/context.hpp"
#include "stream/counted_column.hpp"

namespace ramify {

template <Target P>
class CountedNode {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    // `stats`: of the node. The problem has the kinds and levels of the columns.
    CountedNode(const Problem& problem, const TopGiven& given, const NodeStats& stats,
                std::vector<CountedColumn> columns)
        : columns_(std::move(columns)), given_(given), samples_(problem.classes) {
        std::size_t rows = 1;
        for (const CountedColumn& column : columns_) {
            rows = std::max(rows, column.values.size());
            divided_rows_.push_back(column.holes != nullptr ? given.channels.divided(column.holes)
                                                            : 0.0);
        }
        table_ = std::make_unique<Table>(rows);
        make_table(problem);
        node.stats = stats;
        make_samples();
    }

    const Table& table() const { return *table_; }
    const Samples& samples() const { return samples_; }
    // See Context.
    const std::vector<double>& divided_rows() const { return divided_rows_; }
    const CountedColumn& column(std::size_t c) const { return columns_[c]; }

    // The value that an entry of a column belongs to.
    std::size_t value_at(std::size_t c, std::size_t entry) const {
        return samples_.source[Layout::row(node.block->columns[c][entry])];
    }
    // The first entry of a value, or the end of all entries.
    std::size_t entry_of(std::size_t c, std::size_t value) const {
        std::size_t entry = 0;
        while (entry < node.ranges[c].size && value_at(c, entry) < value) ++entry;
        return entry;
    }

    OpenNode<Word> node;

  private:
    void make_table(const Problem& problem) {
        const std::size_t rows = table_->rows();
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const Column& like = problem.table[c];
            const auto& values = columns_[c].values;
            if (values.empty()) {
                table_->add_in_order({&nothing, 0});
            } else if (like.kind == Kind::numeric) {
                static_assert(sizeof(CountedValue) % sizeof(double) == 0);
                table_->add_in_order({&values[0].value, sizeof(CountedValue) / sizeof(double)});
            } else {
                std::vector<std::int32_t> codes(rows, -1);
                for (std::size_t i = 0; i < values.size(); ++i) codes[i] = values[i].code;
                table_->add_codes(like.kind, std::move(codes), like.levels);
            }
        }
    }

    // Every value has a sample per class or, for numbers, two that have its moments.
    void make_samples() {
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
            most = std::max(most, entries.size() + (columns_[c].holes != nullptr ? 1 : 0));
        }
        node.stats.rows = static_cast<std::int64_t>(most);
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            auto& entries = node.block->columns[c];
            while (columns_[c].holes == nullptr && !entries.empty() && entries.size() < most) {
                // One more sample of the last value, of no weight.
                const Word last = entries.back() & static_cast<Word>(~Layout::fresh_bit);
                const std::uint32_t sample = Layout::row(last);
                entries.push_back(Layout::with_row(
                    last, add_sample(samples_.source[sample], 0.0, 0.0, target_of(sample))));
            }
            node.ranges[c].size = static_cast<std::uint32_t>(entries.size());
        }
        samples_.mean = given_.mean;
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

    static constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

    std::vector<CountedColumn> columns_;
    std::vector<double> divided_rows_;
    const TopGiven& given_;
    Samples samples_;
    std::unique_ptr<Table> table_;
};

}  // namespace ramify
