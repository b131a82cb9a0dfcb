// A column at a node as codes: its rows are counted, not ordered. Invariant: the rows of the node
// are those of the list of rows, whose order does not matter; the cells of the column hold what
// counting them gives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "columns/cells.hpp"
#include "node/candidate.hpp"
#include "node/known_rows.hpp"
#include "node/level_table.hpp"
#include "node/open_node.hpp"
#include "splits/walks/gini_cells.hpp"
#include "support/sums.hpp"
#include "table/codes.hpp"
#include "table/table.hpp"

namespace ramify {

// The sums of consecutive codes of a column, for few classes.
struct CodeBlock {
    double rows[GiniCorners::most_classes] = {};  // per class
    std::size_t present = 0;                      // codes that occur
    std::size_t last = 0;                         // of these
};

template <typename Cell>
CodeBlock sum_block(const Cell* counts, std::size_t classes, std::size_t begin, std::size_t end) {
    CodeBlock block;
    Cell rows[GiniCorners::most_classes] = {};
    for (std::size_t code = begin; code < end; ++code) {
        Cell all = 0;
        for (std::size_t j = 0; j < classes; ++j) {
            const Cell of_class = counts[code * classes + j];
            rows[j] += of_class;
            all += of_class;
        }
        block.present += all > 0;
        block.last = all > 0 ? code : block.last;
    }
    std::copy_n(rows, classes, block.rows);
    return block;
}

template <Target P>
class CodedForm {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Cell = typename P::Cell;

    // `cells`: of this column at the node, or null where only rows are sent.
    CodedForm(const Samples& samples, const NodeCells<P>& layout, const Column& column,
              const OpenNode<Word>& node, std::size_t c, const Cell* cells)
        : samples_(samples),
          layout_(layout),
          column_(column),
          codes_(layout.codes(c)),
          range_(node.ranges[c]),
          rows_(layout.rows(node).data()),
          cells_(cells) {}

    // Rows of a code, or their support.
    Cell rows_of(std::size_t code) const { return layout_.rows_of(cells_ + code * stride()); }
    const Cell* cells_of(std::size_t code) const { return cells_ + code * stride(); }
    bool has_holes() const { return codes_.holes && rows_of(codes_.values()) > 0; }

    // The contingency table of the values present, and the sums of the rows with and without a
    // value if some lack it. Gives the support of the known rows.
    double sum_levels(KnownRows<Word>& known, LevelTable& levels) const {
        const std::size_t width = samples_.width();
        levels.sums.resize(codes_.values() * width);
        levels.support.resize(codes_.values());
        levels.codes.resize(codes_.values());
        std::size_t present = 0;
        for (std::size_t code = 0; code < codes_.values(); ++code) {
            const Cell rows = rows_of(code);
            if (!(rows > 0)) continue;
            for (std::size_t j = 0; j < width; ++j)
                levels.sums[present * width + j] = static_cast<double>(cells_of(code)[j]);
            levels.support[present] = static_cast<double>(rows);
            levels.codes[present++] = static_cast<std::int32_t>(code);
        }
        levels.sums.resize(present * width);
        levels.support.resize(present);
        levels.codes.resize(present);
        if (!has_holes()) return 0.0;
        const Cell* of_holes = cells_of(codes_.values());
        known.rest.assign(of_holes, of_holes + width);
        known.own.assign(width, 0.0);
        for (std::size_t l = 0; l < present; ++l) {
            for (std::size_t j = 0; j < width; ++j) known.own[j] += levels.sums[l * width + j];
        }
        return sum_of(levels.support.data(), levels.size());
    }

    // Drives a walk over the codes present. Gives the codes on both sides of the best cut, and the
    // number of codes present. `sums` is free to use.
    template <typename Walk>
    auto best_cut(Walk& walk, const std::vector<double>& target_sums, std::vector<double>& sums,
                  std::size_t& present) const {
        std::optional<std::pair<std::size_t, std::size_t>> best;
        constexpr bool by_cells = CellWalk<Walk>;
        const std::size_t classes = std::max<std::size_t>(1, samples_.classes);
        sums.assign(samples_.width(), 0.0);
        std::size_t last = 0;
        const auto step = [&](std::size_t code) {
            const Cell* of_code = cells_of(code);
            const Cell rows = layout_.rows_of(of_code);
            if (!(rows > 0)) return;
            if (present++ > 0 && walk.better()) {
                walk.accept();
                best = {last, code};
            }
            last = code;
            if constexpr (P::weighted) {
                walk.add_block(of_code, rows);
            } else if constexpr (by_cells) {
                walk.add_cells(of_code, static_cast<double>(rows));
            } else {
                for (std::size_t j = 0; j < classes; ++j) sums[j] = static_cast<double>(of_code[j]);
                if constexpr (!P::classification) sums[1] = target_sums[code];
                walk.add_block(sums.data(), static_cast<double>(rows));
            }
        };
        std::size_t code = 0;
        if constexpr (by_cells) {
            const std::size_t block = walk.block_size();
            while (block > 0 && code + block <= codes_.values()) {
                const std::size_t end = code + block;
                const CodeBlock block_sums = sum_block(cells_, classes, code, end);
                if (walk.skip(block_sums.rows)) {
                    present += block_sums.present;
                    if (block_sums.present > 0) last = block_sums.last;
                    code = end;
                } else {
                    while (code < end) step(code++);
                }
            }
        }
        while (code < codes_.values()) step(code++);
        return best;
    }

    // Calls function(weight, support) with those of every value present, in order of value.
    template <typename Function>
    void for_each_size(Function&& function) const {
        for (std::size_t code = 0; code < codes_.values(); ++code) {
            const auto rows = static_cast<double>(rows_of(code));
            if (!(rows > 0.0)) continue;
            if constexpr (P::weighted) {
                function(P::weight_of(cells_of(code), samples_.width()), rows);
            } else {
                function(rows, rows);
            }
        }
    }

    // Numbers without weights: cells are counts, so the targets are added up from the rows.
    void sum_targets(std::vector<double>& sums) const {
        sums.assign(codes_.values(), 0.0);
        for (std::size_t i = 0; i < range_.size; ++i) {
            const std::uint32_t row = Layout::row(rows_[i]);
            sums[codes_.codes[row]] += samples_.target[row];
        }
    }

    // Adds the rows of both sides of a threshold to `sides`. Calls after_value(support) after every
    // value, with the support up to it. Gives the number of values.
    template <typename After>
    std::size_t sum_sides(const Candidate& split, std::vector<double>& sides,
                          After&& after_value) const {
        const std::size_t width = samples_.width();
        std::size_t values = 0;
        double support = 0.0;
        for (std::size_t code = 0; code < codes_.values(); ++code) {
            const Cell rows = rows_of(code);
            if (!(rows > 0)) continue;
            ++values;
            support += static_cast<double>(rows);
            double* side = sides.data() + (branch_of(split, code) == 0 ? 0 : width);
            if constexpr (P::classification || P::weighted) {
                for (std::size_t j = 0; j < width; ++j)
                    side[j] += static_cast<double>(cells_of(code)[j]);
            }
            after_value(support);
        }
        if constexpr (!P::classification && !P::weighted) {
            // Only rows are counted; the target is added up from them.
            for (std::size_t i = 0; i < range_.size; ++i) {
                const bool left = branch_of(split, layout_.code_of(codes_, rows_[i])) == 0;
                P::add(samples_, rows_[i], sides.data() + (left ? 0 : width));
            }
        }
        return values;
    }

    // The support of every branch of a split, without the rows that lack a value.
    void sum_support(const Candidate& split, std::vector<double>& support) const {
        send(split, [&](Word entry, std::size_t branch) {
            support[branch] += P::support(samples_, entry);
        });
    }

    // Calls put(entry, branch) for every row that has a value.
    template <typename Put>
    void send(const Candidate& split, Put&& put) const {
        const std::vector<std::uint32_t> branches = branches_of(split);
        for (std::size_t i = 0; i < range_.size; ++i) {
            const std::size_t code = layout_.code_of(codes_, rows_[i]);
            if (code < codes_.values()) put(rows_[i], branches[code]);
        }
    }

    // The branch of every code.
    std::vector<std::uint32_t> branches_of(const Candidate& split) const {
        std::vector<std::uint32_t> branches(codes_.size(), 0);
        if (split.kind == ConditionKind::threshold) {
            std::fill(branches.begin() + split.lower_code + 1, branches.end(), 1u);
        } else {
            for (std::size_t l = 0; l < split.level_codes.size(); ++l) {
                branches[static_cast<std::size_t>(split.level_codes[l])] =
                    static_cast<std::uint32_t>(split.branch_of_level[l]);
            }
        }
        return branches;
    }

    // The last code whose value is at most the threshold; -1: none is.
    std::int32_t last_at_most(double threshold) const {
        std::int32_t code = -1;
        while (code + 1 < static_cast<std::int32_t>(codes_.values()) &&
               value(static_cast<std::size_t>(code + 1)) <= threshold)
            ++code;
        return code;
    }
    double value(std::size_t code) const { return column_.value(codes_.first_row[code]); }
    std::pair<double, double> values_at(const Candidate& split) const {
        return {value(static_cast<std::size_t>(split.lower_code)),
                value(static_cast<std::size_t>(split.upper_code))};
    }
    // The level of a code. The codes of an ordinal column are those of its values that occur.
    std::int32_t level(std::int32_t code) const {
        if (column_.kind != Kind::ordinal) return code;
        return column_.codes[codes_.first_row[static_cast<std::size_t>(code)]];
    }
    const CodedColumn& codes() const { return codes_; }
    std::span<const Word> rows() const { return {rows_, range_.size}; }
    std::size_t code_of(Word entry) const { return layout_.code_of(codes_, entry); }

  private:
    std::size_t stride() const { return layout_.stride(); }
    static std::size_t branch_of(const Candidate& split, std::size_t code) {
        return static_cast<std::int32_t>(code) <= split.lower_code ? 0 : 1;
    }

    const Samples& samples_;
    const NodeCells<P>& layout_;
    const Column& column_;
    const CodedColumn& codes_;
    const Range& range_;
    const Word* rows_;
    const Cell* cells_;
};

}  // namespace ramify
