// The cells of the columns of a node whose values are needed, see open_cells.hpp. Invariant: the
// values next to the best threshold of a column, and to every one that ties with it, are in marked
// cells; where only the best column is looked for, this holds for the columns that may be it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "stream/open_cells.hpp"
#include "stream/top_node.hpp"
#include "support/parallel.hpp"

namespace ramify {

template <Target P>
class CellMarks {
  public:
    using Marks = std::vector<std::uint8_t>;

    explicit CellMarks(const TopFacts<P>& facts) : facts_(facts), context_(*facts.context) {}

    std::vector<Marks> of(const TopNode& node, std::span<const ColumnCounts> columns, int threads,
                          Interrupt& interrupt) const {
        std::vector<Marks> marked(columns.size());
        if (node.plan.forced()) {
            const SkeletonNode& asked = facts_.asked(node);
            const auto c = static_cast<std::size_t>(asked.attribute);
            if (facts_.numeric(c)) marked[c] = around(columns[c], asked.threshold);
            return marked;
        }
        std::vector<double> best(columns.size(), nothing);
        // Where other columns are not remembered, only the best split of all is looked for.
        const bool only_best = node.depth >= context_.parameters.competitor_depth &&
                               !context_.criterion.by_information() && !facts_.surveys() &&
                               !any_holes(columns);
        if (only_best) {
            for_each_index(columns.size(), threads, [&](std::size_t c) {
                interrupt.poll();
                best[c] = open(node, columns[c], c, nothing, nullptr);
            });
        }
        const double floor = best.empty() ? nothing : *std::max_element(best.begin(), best.end());
        for_each_index(columns.size(), threads, [&](std::size_t c) {
            interrupt.poll();
            open(node, columns[c], c, floor, &marked[c]);
        });
        return marked;
    }

    // The cells of all values that a survey reads.
    std::vector<Marks> of_survey(const TopNode& node, std::span<const ColumnCounts> columns) const {
        std::vector<Marks> marked(columns.size());
        for (std::size_t c = 0; c < columns.size() && !node.plan.forced(); ++c) {
            if (facts_.numeric(c) && node.plan.allows(c)) marked[c] = all(sum(columns[c]).sums);
        }
        return marked;
    }

  private:
    static constexpr double nothing = -std::numeric_limits<double>::infinity();

    // What the cells of a column hold.
    struct Cells {
        CellSums sums;
        std::vector<double> known, rest;  // of the rows with a value, and without
        double known_support = 0.0;
        bool missing = false;
        double divided = 0.0;  // see Channels
    };

    bool any_holes(std::span<const ColumnCounts> columns) const {
        const Channels& channels = facts_.given.channels;
        return std::any_of(columns.begin(), columns.end(), [&](const ColumnCounts& counts) {
            return !channels.empty(counts.cells.data() + counts.cells.size() - channels.count());
        });
    }
    Cells sum(const ColumnCounts& counts) const {
        const Channels& channels = facts_.given.channels;
        const std::size_t width = channels.count();
        const std::size_t count = counts.cells.size() / width - 1;
        Cells cells;
        CellSums& sums = cells.sums;
        sums.width = facts_.width();
        sums.sums.resize(count * sums.width);
        sums.support.resize(count);
        sums.edge_cells = counts.edge_cells;
        cells.known.assign(sums.width, 0.0);
        cells.rest.assign(sums.width, 0.0);
        for (std::size_t cell = 0; cell < count; ++cell) {
            const std::int64_t* at = counts.cells.data() + cell * width;
            if (channels.empty(at)) continue;
            channels.sums(at, sums.sums.data() + cell * sums.width);
            sums.support[cell] = channels.support(at);
            cells.known_support += sums.support[cell];
            for (std::size_t j = 0; j < sums.width; ++j)
                cells.known[j] += sums.sums[cell * sums.width + j];
        }
        const std::int64_t* holes = counts.cells.data() + count * width;
        cells.missing = !channels.empty(holes);
        if (cells.missing) channels.sums(holes, cells.rest.data());
        if (cells.missing) cells.divided = channels.divided(holes);
        return cells;
    }

    // Gives the best gain of a cut between cells. Marks the cells in which a cut may gain as much,
    // and as much as `other`, the gain of another column; null: none are marked.
    double open(const TopNode& node, const ColumnCounts& counts, std::size_t c, double other,
                Marks* to) const {
        if (!facts_.numeric(c) || !node.plan.allows(c)) return nothing;
        const Cells cells = sum(counts);
        CellOpener opener(context_.criterion.of_thresholds(), P::classification, facts_.width());
        opener.set_targets(node.stats.low, node.stats.high);
        const GrowParameters& parameters = context_.parameters;
        const bool combines =
            cells.missing && parameters.divides_first() && !context_.criterion.quadratic();
        if (!opener.bounds() || combines) {
            if (to != nullptr) *to = all(cells.sums);
            return nothing;
        }
        CutLimits limits;
        const std::vector<CutFrame> frames = frames_of(node, cells, c, limits);
        double best = nothing;
        for (const CutFrame& one : frames)
            best = std::max(best, opener.best_between(cells.sums, one));
        if (to == nullptr) return best;
        const double scale = std::isfinite(node.stats.scale) ? node.stats.scale : std::abs(best);
        const double floor = std::max(best, other) - 8.0 * tie_tolerance * scale;
        to->assign(cells.sums.cells(), 0);
        for (const CutFrame& one : frames) opener.mark(cells.sums, one, floor, *to);
        return best;
    }
    // The ways to score a cut: without the rows that lack a value, or with them on either side.
    std::vector<CutFrame> frames_of(const TopNode& node, const Cells& cells, std::size_t c,
                                    CutLimits& limits) const {
        const GrowParameters& parameters = context_.parameters;
        const bool divides = cells.missing && parameters.missing == Missing::fractional;
        const double* total = divides ? cells.known.data() : node.stats.sums.data();
        const bool limited = context_.branch_limits.asked();
        if (limited) {
            limits = context_.branch_limits.limits(node.bounds, c, facts_.given.centre)
                         .over(total, context_.weight_of(total));
            if (divides) {
                limits = limits.over(total, context_.weight_of(total), cells.rest.data(),
                                     context_.weight_of(cells.rest.data()));
            }
        }
        CutFrame frame{total, divides ? cells.known_support : node.stats.support};
        frame.min_leaf =
            divides ? parameters.min_known_leaf(cells.divided) : facts_.least_rows(node);
        frame.limits = limited ? &limits : nullptr;
        std::vector<CutFrame> frames{frame};
        if (cells.missing && !divides) {
            frame.preload = cells.rest.data();
            frame.preload_support = node.stats.support - cells.known_support;
            frames.push_back(frame);
        }
        return frames;
    }
    // The cell that a threshold lies in, unless it is an edge that has one of its own.
    Marks around(const ColumnCounts& counts, double threshold) const {
        const auto above = std::upper_bound(counts.edges.begin(), counts.edges.end(), threshold);
        const auto not_above = static_cast<std::size_t>(above - counts.edges.begin());
        const CellSums cells = sum(counts).sums;
        const std::size_t cell = counts.edge_cells ? 2 * not_above : not_above;
        Marks marks(cells.cells(), 0);
        marks[cell] = cells.support[cell] > 0.0 ? 1 : 0;
        return marks;
    }
    static Marks all(const CellSums& cells) {
        Marks marks(cells.cells(), 0);
        for (std::size_t cell = 0; cell < cells.cells(); ++cell)
            marks[cell] = cells.openable(cell) && cells.support[cell] > 0.0 ? 1 : 0;
        return marks;
    }

    const TopFacts<P>& facts_;
    const Context<P>& context_;
};

}  // namespace ramify
