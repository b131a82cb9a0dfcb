// The top of a tree whose rows are read in scans: its nodes are split by the counts of their rows,
// with the searches of growth in memory. Invariant: given all counts, every node is what growth in
// memory would make of it. A node goes from `counted` (its totals are wanted) to `open` (its counts
// are wanted) or `leaf`, and from `open` to `split` or `leaf`, or to `grafted`.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "node/view.hpp"
#include "problem/problem.hpp"
#include "stream/routes.hpp"
#include "stream/scan.hpp"

namespace ramify {

enum class TopState : std::uint8_t { counted, open, leaf, split, grafted, gone };

// The counts of a column at a node.
struct ColumnCounts {
    std::span<const std::int64_t> cells{};     // (cells + 1) x channels, missing values last
    std::span<const double> edges{};           // of a numeric column
    bool edge_cells = false;                   // see edges.hpp
    std::span<const std::uint8_t> opened{};    // marks the cells whose values are known
    std::span<const double> values{};          // these, in ascending order
    std::span<const std::int64_t> channels{};  // values x channels
    // Where ranks of targets count: the cells are boxes, and so are those that were opened.
    std::span<const double> targets{};      // of the values; rows without a value come last, as NaN
    std::span<const std::uint8_t> whole{};  // marks the cells of which all values are known
    // Of a column that is searched part by part: only cuts between values of these cells count.
    std::size_t first = 0, last = std::numeric_limits<std::size_t>::max();
    MissingSide missing_side = MissingSide::any;
};

// What is the same for the whole tree.
struct TopGiven {
    Channels channels;
    double centre = 0.0;    // what was subtracted from the targets
    double mean = 0.0;      // that deviances are taken from
    int deviance_size = 1;  // see ChannelSizes
    Edges targets{};        // where ranks of targets count, see ScanColumn
    double all_weight = 0.0;
    std::size_t grain_rows = 0;  // see Beginning
    bool divides = false;        // rows that lack a value may be divided
    bool competitors = true;     // the splits of other columns are remembered
};

// A node, as the caller sees it.
struct TopNodeInfo {
    TopState state = TopState::counted;
    std::int32_t depth = 0;
    std::int64_t most_rows = 0;  // that it can have, before its totals are known
    bool divided = false;        // parts of rows may be among them
    std::vector<std::int32_t> children{};
};

class Top {
  public:
    virtual ~Top() = default;

    // `problem` has the columns, the criterion and the parameters; its rows are not read.
    static std::unique_ptr<Top> make(const Problem& problem, const TopGiven& given);

    // Whether tests read all values of the numeric columns of a node before these are looked at.
    virtual bool surveys() const = 0;
    virtual std::size_t size() const = 0;
    virtual TopNodeInfo info(std::size_t node) const = 0;
    // Gives a node its totals. Once all children of a node have theirs, the node is split, or it
    // becomes a leaf because they break a constraint.
    // `targets`: where ranks of targets count, what was counted of these.
    virtual void count(std::size_t node, const SlotTotals& totals, const ColumnCounts& targets) = 0;
    // Marks the cells whose values are needed to find the best threshold of a numeric column.
    virtual std::vector<std::vector<std::uint8_t>> open_cells(std::size_t node,
                                                              std::span<const ColumnCounts> columns,
                                                              int threads,
                                                              Interrupt& interrupt) const = 0;
    // Marks the cells of all values that tests read, which are then given part by part. Edges that
    // have cells of their own need not be given.
    virtual std::vector<std::vector<std::uint8_t>> survey_cells(
        std::size_t node, std::span<const ColumnCounts> columns) = 0;
    virtual void survey(std::size_t node, std::size_t column, const ColumnCounts& counts) = 0;
    // Finds the best splits of some columns of an open node. What was counted of them is not needed
    // afterwards.
    virtual void look(std::size_t node, std::span<const std::size_t> which,
                      std::span<const ColumnCounts> columns, int threads, Interrupt& interrupt) = 0;
    // The two cells next to the best cut of a column, or the cell that it lies in, twice; empty if
    // it has none. So a column is searched part by part: of each part, the values in these cells
    // are kept, and at the end the column is looked at with them.
    virtual std::vector<std::size_t> cells_of_best(std::size_t node, std::size_t column,
                                                   const ColumnCounts& counts,
                                                   Interrupt& interrupt) = 0;
    // Where ranks of targets count: the same for a part of a column. Parts come in the order of
    // their values, and each begins with the last cell of the one before.
    virtual void look_at_part(std::size_t node, std::size_t column, const ColumnCounts& counts,
                              Interrupt& interrupt) = 0;
    // The levels of a column in the order in which they are cut; rows without a value, if they are
    // a level, have the number after the last.
    virtual std::vector<std::size_t> order_of_levels(std::size_t node, std::size_t column,
                                                     const ColumnCounts& counts,
                                                     Interrupt& interrupt) const = 0;
    // The rows and the weight that a side of a cut needs.
    virtual std::pair<double, double> least_side() const = 0;
    // The column that a skeleton asks a node for, and the threshold or NaN; -1: none.
    virtual std::pair<std::int32_t, double> asked(std::size_t node) const = 0;
    // Splits an open node whose columns were all looked at, or makes it a leaf. It stays open, and
    // its columns are to be looked at again, if a condition of a skeleton does not divide its rows.
    virtual void decide(std::size_t node, Interrupt& interrupt) = 0;
    // The nodes as routes; the slot of a node is that given, or -1.
    virtual std::vector<RouteNode> routes(std::span<const std::int32_t> slots) const = 0;
    // Where growth goes on in memory.
    virtual Beginning beginning(std::size_t node) const = 0;
    virtual std::int32_t competitor_depth() const = 0;
    virtual void graft(std::size_t node, const Tree& subtree) = 0;
    // Of best-first growth, only this number of expansions is made.
    virtual Tree finish(std::int64_t max_expansions, Interrupt& interrupt) = 0;
};

}  // namespace ramify
