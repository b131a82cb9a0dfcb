// One scan over batches of rows, the kernel of everything that is distributed: it adds up the
// contingency tables that the open nodes need, keeps the values inside given intervals, and picks
// the rows of given nodes. Invariant: what comes back is whole numbers and values, which add up to
// the same whatever the batches.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "stream/channels.hpp"
#include "stream/edges.hpp"
#include "stream/routes.hpp"
#include "support/interrupt.hpp"

namespace ramify {

// How a column is counted: between edges, or by level. Missing values come after the last cell.
// Where ranks of targets count, the last column is the target, and every cell of another column is
// divided into boxes, one for each cell of the target.
struct ScanColumn {
    Edges edges{};
    std::size_t levels = 0;  // 0: numeric
};

// Many scans share them: the places of edges take long to make.
using ScanColumns = std::shared_ptr<const std::vector<ScanColumn>>;

// What is wanted of the rows of a leaf.
struct ScanSlot {
    bool cells = false;    // the contingency tables of all columns
    bool rows = false;     // which rows they are
    bool targets = false;  // where ranks count: the counts of the target
    // Per column: marks the cells whose values are wanted; empty: none are. Where ranks count, it
    // marks boxes instead, also those of the rows without a value.
    std::vector<std::vector<std::uint8_t>> opened{};
    // Per column: only every 2^shift-th edge counts.
    std::vector<std::uint8_t> shifts{};
    // Per column: edges of the slot itself, all of which count; empty: those of the column. If any
    // are given, only columns that have some are counted.
    std::vector<Edges> edges{};
    // Per column with edges of the slot: marks the cells that are counted, the others stay empty;
    // empty: all are.
    std::vector<std::vector<std::uint8_t>> within{};
    bool has_edges(std::size_t column) const {
        return !edges.empty() && !edges[column].values().empty();
    }
    bool counts(std::size_t column) const { return cells && (edges.empty() || has_edges(column)); }
    bool opens(std::size_t column) const { return !opened.empty() && !opened[column].empty(); }
    bool has_within(std::size_t column) const { return !within.empty() && !within[column].empty(); }
    // The cells whose rows are looked for: those that are counted, or whose values are wanted.
    std::span<const std::uint8_t> marks(std::size_t column) const {
        if (has_within(column)) return within[column];
        return opens(column) ? std::span<const std::uint8_t>(opened[column])
                             : std::span<const std::uint8_t>();
    }
};

struct SlotTotals {
    std::int64_t rows = 0;  // or parts of rows
    std::vector<std::int64_t> channels;
    double low = std::numeric_limits<double>::infinity();  // of the targets, minus the centre
    double high = -std::numeric_limits<double>::infinity();
    std::int64_t deviance[Fixed::limbs] = {};
};

// Distinct values in ascending order, each with its channels.
struct OpenedValues {
    std::vector<double> values;         // of boxes: NaN if missing, which comes last
    std::vector<double> targets;        // of boxes: each value with each of its targets
    std::vector<std::uint32_t> labels;  // in place of channels, before counts of rows are settled
    std::vector<std::int64_t> channels;
    std::size_t settled = 0;  // entries that are in order and distinct
};

struct ScanTarget {
    std::span<const std::int32_t> labels{};
    std::span<const double> numbers{};
    std::span<const double> weights{};  // empty: all 1; rows of weight 0 take no part
};

struct ScanOptions {
    Channels channels;
    double centre = 0.0;
    DevianceKind deviance = DevianceKind::none;
    double mean = 0.0;  // that deviances are taken from
    int deviance_size = 1;
    bool ranks = false;  // ranks of targets count
};

class Scan {
  public:
    Scan(Routes routes, ScanColumns columns, std::vector<ScanSlot> slots,
         const ScanOptions& options);

    // The rows of a batch that some slots ask for, slot by slot.
    struct Picked {
        std::vector<std::int64_t> rows;
        std::vector<double> parts;
    };
    std::vector<Picked> add(std::span<const StreamColumn> columns, std::size_t rows,
                            const ScanTarget& target, int threads, Interrupt& interrupt);

    std::size_t slots() const { return slots_.size(); }
    // Whether a column is looked at: where rows are sent, or what is wanted of them.
    bool uses(std::size_t column) const { return used_[column]; }
    const Channels& channels() const { return options_.channels; }
    const SlotTotals& totals(std::size_t slot) const { return totals_[slot]; }
    // Give counts away: (cells + 1) x boxes x channels; empty if they are not wanted. Counts of
    // whole rows are small.
    std::vector<std::int64_t> take_cells(std::size_t slot, std::size_t column) {
        return std::exchange(cells_[slot * columns_.size() + column], {});
    }
    std::vector<std::uint32_t> take_small_cells(std::size_t slot, std::size_t column) {
        return std::exchange(small_cells_[slot * columns_.size() + column], {});
    }
    bool small() const { return options_.channels.counts_rows(); }
    // The boxes that a cell of a column is divided into.
    std::size_t boxes(std::size_t column) const {
        return options_.ranks && column + 1 < columns_.size() ? columns_.back().edges.cells(0) : 1;
    }
    // Puts the values in order, and gives them away.
    OpenedValues take_values(std::size_t slot, std::size_t column);

  private:
    void find_visits(std::span<const StreamColumn> columns, std::size_t rows,
                     const ScanTarget& target, Interrupt& interrupt);
    void add_totals(const ScanTarget& target);
    void place_targets(const ScanTarget& target);
    bool counts(const ScanSlot& slot, std::size_t column) const {
        const bool target = options_.ranks && column + 1 == columns_.size();
        return slot.counts(column) || (target && slot.targets);
    }
    void count_column(std::size_t c, const StreamColumn& column);
    // Calls function(visit, place) for every visit of a slot that is counted.
    template <typename Function>
    void for_each_place(std::size_t slot, std::size_t c, const StreamColumn& column,
                        Function&& function) const;
    // The same if only the rows of some cells are counted.
    template <typename Function>
    void for_each_within(std::size_t slot, std::size_t c, const StreamColumn& column,
                         Function&& function) const;
    // Calls function(visit, value) for every visit of a slot whose value is in an opened cell.
    template <typename Function>
    void for_each_opened(std::size_t slot, std::size_t c, const StreamColumn& column,
                         Function&& function) const;
    void open_column(std::size_t c, const StreamColumn& column);
    void open_boxes(std::size_t c, const StreamColumn& column);
    Edges runs_of(std::size_t slot, std::size_t column) const;
    void settle(OpenedValues& values) const;
    void settle_boxes(OpenedValues& values) const;
    unsigned shift_of(std::size_t slot, std::size_t column) const {
        const ScanSlot& of = slots_[slot];
        return of.shifts.empty() || of.has_edges(column) ? 0u : of.shifts[column];
    }
    const Edges& edges_of(std::size_t slot, std::size_t column) const {
        const ScanSlot& of = slots_[slot];
        return of.has_edges(column) ? of.edges[column] : columns_[column].edges;
    }
    // Without the cell of missing values.
    std::size_t cells_of(std::size_t slot, std::size_t column) const {
        const ScanColumn& form = columns_[column];
        return form.levels > 0 ? form.levels : edges_of(slot, column).cells(shift_of(slot, column));
    }

    Routes routes_;
    ScanColumns shared_;
    const std::vector<ScanColumn>& columns_ = *shared_;
    std::vector<ScanSlot> slots_;
    ScanOptions options_;
    Fixed deviance_;
    bool any_cells_ = false, any_opened_ = false;
    std::vector<SlotTotals> totals_;
    std::vector<std::vector<std::int64_t>> cells_;
    std::vector<std::vector<std::uint32_t>> small_cells_;
    std::vector<OpenedValues> values_;
    std::vector<Edges> runs_;  // the bounds of runs of marked cells, unless edges have cells
    std::vector<bool> used_;   // by column
    // Of the batch, slot by slot: the rows in it, with which part, and what they add.
    std::vector<std::size_t> first_;  // visit of every slot; the end of the last one
    std::vector<std::uint32_t> row_;
    std::vector<double> part_;
    std::vector<std::uint32_t> label_;
    std::vector<std::int64_t> added_;  // units of plain classes, or all channels
    std::vector<std::uint32_t> box_;   // where ranks count: the cell of the target
    std::vector<double> target_;
    // As rows come.
    struct Visit {
        std::uint32_t row;
        std::int32_t slot;
        double part;
    };
    std::vector<Visit> visits_;
};

}  // namespace ramify
