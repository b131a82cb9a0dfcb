// A column at a node, as its values and what was counted of each. Invariant: values ascend; cells
// that were not opened stand among them as one value each, at their lower edge.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "stream/top.hpp"

namespace ramify {

// A value of a column with its rows.
struct CountedValue {
    double value = 0.0;     // of a numeric column
    std::int32_t code = 0;  // of other columns; of a numeric one the number of its cell
    bool exact = true;      // false: a cell between edges, of which only the sums are known
    const std::int64_t* channels = nullptr;
};

// The values of a column in ascending order, and the rows without one.
struct CountedColumn {
    std::vector<CountedValue> values;
    const std::int64_t* holes = nullptr;  // null: no row lacks a value

    // Whether it was counted at all.
    bool present() const { return holes != nullptr || !values.empty(); }
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
        const auto code = static_cast<std::int32_t>(cell);
        const bool edge = counts.edge_cells && cell % 2 == 1;
        const std::size_t upper = counts.edge_cells ? cell / 2 : cell;  // the next edge
        if (!numeric) {
            column.values.push_back({0.0, code, true, at});
        } else if (!counts.opened.empty() && counts.opened[cell] != 0) {
            // All values below the next edge, or above the last.
            const double end = upper < counts.edges.size()
                                   ? counts.edges[upper]
                                   : std::numeric_limits<double>::infinity();
            const bool last = upper >= counts.edges.size();
            while (next < counts.values.size() && (last || counts.values[next] < end)) {
                column.values.push_back(
                    {counts.values[next], code, true, counts.channels.data() + next * width});
                ++next;
            }
        } else {
            const double value = edge         ? counts.edges[upper]
                                 : upper == 0 ? -std::numeric_limits<double>::infinity()
                                              : counts.edges[upper - 1];
            column.values.push_back({value, code, edge, at});
        }
    }
    if (next != counts.values.size())
        throw std::invalid_argument("values lie outside the cells that were opened");
    return column;
}

// What the choice between columns reads of one: its levels or, of a numeric column, the values next
// to its cut, and all others added up. The counts are copied.
class KeptColumn {
  public:
    KeptColumn() = default;
    // `cut`: the first value on the right of a threshold.
    KeptColumn(const CountedColumn& column, bool numeric, std::size_t cut, std::size_t width)
        : width_(width) {
        const std::size_t count = column.values.size();
        for (std::size_t i = 0; i < count; ++i) {
            const CountedValue& value = column.values[i];
            const bool joins = numeric && i > 0 && i != cut && i != cut + 1 && i + 1 != cut;
            if (joins) {
                std::int64_t* sums = channels_.data() + channels_.size() - width;
                for (std::size_t j = 0; j < width; ++j) sums[j] += value.channels[j];
                continue;
            }
            if (i == cut) cut_ = values_.size();
            values_.push_back(value);
            channels_.insert(channels_.end(), value.channels, value.channels + width);
        }
        if (cut >= count) cut_ = values_.size();
        has_holes_ = column.holes != nullptr;
        if (has_holes_) channels_.insert(channels_.end(), column.holes, column.holes + width);
    }

    CountedColumn column() const {
        CountedColumn column{values_, nullptr};
        const std::int64_t* at = channels_.data();
        for (CountedValue& value : column.values) {
            value.channels = at;
            at += width_;
        }
        if (has_holes_) column.holes = at;
        return column;
    }
    // The first value on the right of the threshold.
    std::size_t cut() const { return cut_; }

  private:
    std::vector<CountedValue> values_;
    std::vector<std::int64_t> channels_;
    std::size_t width_ = 0;
    std::size_t cut_ = 0;
    bool has_holes_ = false;
};

}  // namespace ramify
