// A column at a node where ranks of targets count: its values, and the targets of each. Cells are
// divided into boxes by edges of the target; rows of a box that was not opened are one row with the
// mean of their targets. Invariant: a loss about a quantile that lies in no such box is exact,
// since the targets of a box lie on one side of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "stream/counted_column.hpp"

namespace ramify {

// Rows of one target, or of a box.
struct RankedRows {
    double target = 0.0;
    double weight = 0.0;
    double support = 0.0;
    bool vague = false;   // several targets, of which this is the mean
    double within = 0.0;  // the sum of their squared distances from it
};

// What rows of a cell of targets add up to, as one row. Targets that are an edge are known.
inline RankedRows ranked_rows(const TopGiven& given, std::size_t box,
                              const std::int64_t* channels) {
    double sums[3];
    given.channels.sums(channels, sums);
    RankedRows rows{0.0, sums[0], given.channels.support(channels), true};
    if (sums[0] > 0.0) rows.within = std::max(0.0, sums[2] - sums[1] * sums[1] / sums[0]);
    const std::span<const double> edges = given.targets.values();
    const bool edge = given.targets.edge_cells() && box % 2 == 1;
    const std::size_t upper = given.targets.edge_cells() ? box / 2 : box;
    if (edge) {
        rows.target = edges[upper];
        rows.vague = false;
        rows.within = 0.0;
        return rows;
    }
    rows.target = given.centre + (sums[0] > 0.0 ? sums[1] / sums[0] : 0.0);
    if (upper > 0) rows.target = std::max(rows.target, edges[upper - 1]);
    if (upper < edges.size()) rows.target = std::min(rows.target, edges[upper]);
    return rows;
}

// The targets of a node, of which some cells were opened.
inline std::vector<RankedRows> ranked_targets(const TopGiven& given, const ColumnCounts& targets) {
    std::vector<RankedRows> rows;
    const std::size_t width = given.channels.count();
    double sums[3];
    for (std::size_t at = 0; at < targets.values.size(); ++at) {
        const std::int64_t* channels = targets.channels.data() + at * width;
        given.channels.sums(channels, sums);
        rows.push_back({targets.values[at], sums[0], given.channels.support(channels)});
    }
    for (std::size_t box = 0; box < given.targets.cells(0); ++box) {
        const std::int64_t* channels = targets.cells.data() + box * width;
        const bool opened = !targets.opened.empty() && targets.opened[box] != 0;
        if (!opened && !given.channels.empty(channels))
            rows.push_back(ranked_rows(given, box, channels));
    }
    return rows;
}

class RankedColumn {
  public:
    RankedColumn(const ColumnCounts& counts, bool numeric, const TopGiven& given)
        : given_(given), boxes_(given.targets.cells(0)), width_(given.channels.count()) {
        const std::size_t row = boxes_ * width_;
        const std::size_t cells = counts.cells.size() / row - 1;
        sums_.assign((cells + 1) * width_, 0);
        for (std::size_t cell = 0; cell <= cells; ++cell) {
            for (std::size_t i = 0; i < row; ++i)
                sums_[cell * width_ + i % width_] += counts.cells[cell * row + i];
        }
        whole_.assign(counts.whole.begin(), counts.whole.end());
        whole_.resize(cells, 0);
        std::vector<std::vector<std::size_t>> read = read_of(counts, numeric, cells);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            if (whole_[cell] != 0) add_values(counts, read[cell]);
        }
        column_ =
            counted_column({sums_, counts.edges, counts.edge_cells, whole_, values_, channels_},
                           numeric, given.channels);
        rows_.resize(column_.values.size());
        std::size_t next = 0;  // of the values of whole cells
        for (std::size_t i = 0; i < column_.values.size(); ++i) {
            const auto cell = static_cast<std::size_t>(column_.values[i].code);
            if (whole_[cell] != 0) {
                for (const std::size_t at : of_value_[next++])
                    rows_[i].push_back(read_row(counts, at));
            } else {
                rows_[i] = rows_of(counts, cell, read[cell]);
            }
        }
        if (column_.holes != nullptr) holes_ = rows_of(counts, cells, read[cells]);
    }
    RankedColumn(const RankedColumn&) = delete;

    const CountedColumn& column() const { return column_; }
    const std::vector<RankedRows>& rows(std::size_t value) const { return rows_[value]; }
    const std::vector<RankedRows>& holes() const { return holes_; }
    // The sums of the cells, whatever the target.
    const std::vector<std::int64_t>& sums() const { return sums_; }

  private:
    // The values that were read, cell by cell; those of rows without a value come last.
    std::vector<std::vector<std::size_t>> read_of(const ColumnCounts& counts, bool numeric,
                                                  std::size_t cells) const {
        std::vector<std::vector<std::size_t>> read(cells + 1);
        for (std::size_t at = 0; at < counts.values.size(); ++at) {
            const double value = counts.values[at];
            std::size_t cell = cells;
            if (!std::isnan(value) && !numeric) cell = static_cast<std::size_t>(value);
            if (!std::isnan(value) && numeric) {
                const auto begin = counts.edges.begin();
                const auto above = std::upper_bound(begin, counts.edges.end(), value);
                const auto not_above = static_cast<std::size_t>(above - begin);
                const bool equal = not_above > 0 && counts.edges[not_above - 1] == value;
                cell = !counts.edge_cells ? not_above : equal ? 2 * not_above - 1 : 2 * not_above;
            }
            read.at(cell).push_back(at);
        }
        return read;
    }
    RankedRows read_row(const ColumnCounts& counts, std::size_t at) const {
        const std::int64_t* channels = counts.channels.data() + at * width_;
        double sums[3];
        given_.channels.sums(channels, sums);
        return {counts.targets[at], sums[0], given_.channels.support(channels), false};
    }
    // The values of a whole cell, each with all of its targets.
    void add_values(const ColumnCounts& counts, const std::vector<std::size_t>& read) {
        double last = std::numeric_limits<double>::quiet_NaN();
        for (const std::size_t at : read) {
            if (counts.values[at] != last) {
                last = counts.values[at];
                values_.push_back(last);
                channels_.resize(channels_.size() + width_, 0);
                of_value_.emplace_back();
            }
            std::int64_t* to = channels_.data() + channels_.size() - width_;
            for (std::size_t j = 0; j < width_; ++j) to[j] += counts.channels[at * width_ + j];
            of_value_.back().push_back(at);
        }
    }
    // The rows of a cell that counts as one value.
    std::vector<RankedRows> rows_of(const ColumnCounts& counts, std::size_t cell,
                                    const std::vector<std::size_t>& read) const {
        std::vector<RankedRows> rows;
        for (const std::size_t at : read) rows.push_back(read_row(counts, at));
        for (std::size_t box = 0; box < boxes_; ++box) {
            const std::size_t place = cell * boxes_ + box;
            if (!counts.opened.empty() && counts.opened[place] != 0) continue;
            const std::int64_t* channels = counts.cells.data() + place * width_;
            if (!given_.channels.empty(channels))
                rows.push_back(ranked_rows(given_, box, channels));
        }
        return rows;
    }

    const TopGiven& given_;
    std::size_t boxes_, width_;
    std::vector<std::int64_t> sums_;  // of the cells
    std::vector<std::uint8_t> whole_;
    // Of the whole cells: the values, what was counted of each, and where it was read.
    std::vector<double> values_;
    std::vector<std::int64_t> channels_;
    std::vector<std::vector<std::size_t>> of_value_;
    CountedColumn column_;
    std::vector<std::vector<RankedRows>> rows_;
    std::vector<RankedRows> holes_;
};

}  // namespace ramify
