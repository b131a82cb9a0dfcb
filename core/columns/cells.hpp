// The cells of coded columns: rows per code and class of a node, or their weights. Invariant: cells
// that a node keeps are exact, so that the larger child gets its own as a difference and its rows
// are never counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "node/open_node.hpp"
#include "node/view.hpp"
#include "table/codes.hpp"
#include "targets/target.hpp"

namespace ramify {

// Adds rows to the cells of `columns` columns at once.
template <std::size_t columns, bool equal_weights>
void add_weights(const std::vector<WeightedRow>& rows, const std::uint16_t* const* codes,
                 double* const* cells, std::size_t classes) {
    const std::size_t stride = classes + 1;
    for (const WeightedRow& row : rows) {
        for (std::size_t k = 0; k < columns; ++k) {
            double* of_code = cells[k] + codes[k][row.source] * stride;
            of_code[row.label] += row.weight;
            if constexpr (!equal_weights) of_code[classes] += row.support;
        }
    }
}

template <Target P>
class NodeCells {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Cell = typename P::Cell;

    NodeCells(const Samples& samples, const std::vector<bool>& sparse,
              const std::vector<CodedColumn>& coded, std::size_t rows_column)
        : samples_(samples), coded_(coded), rows_column_(rows_column) {
        for (std::size_t c = 0; c < coded.size(); ++c) {
            first_.push_back(size_);
            if (sparse[c] || coded[c].values() == 0) continue;
            size_ += coded[c].size() * stride();
            ++columns_;
        }
    }

    const CodedColumn& codes(std::size_t c) const { return coded_[c]; }
    // The rows of a node, from the column that lists them.
    std::span<const Word> rows(const OpenNode<Word>& node) const {
        const Range& range = node.ranges[rows_column_];
        return {node.block->columns[rows_column_].data() + range.begin, range.size};
    }
    std::uint16_t code_of(const CodedColumn& coded, Word entry) const {
        if constexpr (P::weighted) return coded.codes[samples_.source[Layout::row(entry)]];
        return coded.codes[Layout::row(entry)];
    }

    // Cells per code: the classes, and with weights the support of the rows.
    std::size_t stride() const {
        return P::weighted ? samples_.width() + 1 : std::max<std::size_t>(1, samples_.classes);
    }
    std::size_t size() const { return size_; }  // of all columns
    std::size_t size(std::size_t c) const { return coded_[c].size() * stride(); }
    std::size_t first(std::size_t c) const { return first_[c]; }
    // The rows of one code, or their support.
    Cell rows_of(const Cell* of_code) const {
        if constexpr (P::weighted) return of_code[samples_.width()];
        return std::accumulate(of_code, of_code + stride(), Cell{0});
    }

    // Whether counting pays: it costs a step per row and one per cell of the contingency table.
    bool pay(std::size_t c, std::size_t rows) const {
        return coded_[c].size() * samples_.width() <= 2 * rows;
    }
    // Whether the cells of a node are worth their memory. Sums of parts of rows are exact and may
    // be kept as well. Sums of given weights are not: rounding would spoil the difference.
    bool kept(std::size_t rows) const {
        return P::classification && (!P::weighted || samples_.equal_weights) && size_ > 0 &&
               size_ <= rows * columns_;
    }
    // The cells of a column that a node has kept, or null.
    const Cell* kept_cells(const OpenNode<Word>& node, std::size_t c) const {
        if constexpr (P::weighted) {
            return node.parts.empty() ? nullptr : node.parts.data() + first_[c];
        } else {
            return node.counts.empty() ? nullptr : node.counts.data() + first_[c];
        }
    }

    // Counts the rows of each class for every code; with weights, adds up the weights and then the
    // support.
    void count(const OpenNode<Word>& node, std::size_t c, Cell* cells) const {
        const CodedColumn& coded = coded_[c];
        const std::size_t per_code = stride();
        std::fill_n(cells, size(c), Cell{0});
        for (const Word entry : rows(node)) {
            Cell* of_code = cells + code_of(coded, entry) * per_code;
            if constexpr (P::weighted) {
                P::add(samples_, entry, of_code);
                of_code[samples_.width()] += P::support(samples_, entry);
            } else if constexpr (P::classification) {
                ++of_code[Layout::label(entry)];
            } else {
                ++*of_code;
            }
        }
    }
    // Turns the cells of a node into those of one child by subtracting those of the other.
    void take_off(std::size_t c, Cell* cells, const Cell* other) const {
        for (std::size_t i = 0; i < size(c); ++i) cells[i] -= other[i];
    }

    // With weights, all columns of a node are counted at once. The weight of a row is looked up
    // once, and additions to different columns do not wait for each other.

    // Chooses the memory for the cells of a node: the node itself, if it keeps them.
    void place(NodeView<Word>& view, OpenNode<Word>& node) const {
        if constexpr (P::weighted && P::classification) {
            const bool keeps = kept(static_cast<std::size_t>(node.stats.rows));
            if (keeps) {
                node.parts.resize(size_);
            } else {
                node.parts.clear();
                view.counted.passing.resize(size_);
            }
            view.counted.cells = keeps ? node.parts.data() : view.counted.passing.data();
        }
    }
    // Only columns for which counting pays at `rows` rows are counted.
    void count_all(NodeView<Word>& view, std::size_t rows) const {
        if constexpr (P::weighted && P::classification) {
            CountedRows& counted = view.counted;
            counted.codes.clear();
            counted.to.clear();
            for (std::size_t c = 0; c < coded_.size(); ++c) {
                if (!has_cells(view, c, rows)) continue;
                counted.codes.push_back(coded_[c].codes.data());
                counted.to.push_back(counted.cells + first_[c]);
                std::fill_n(counted.to.back(), size(c), 0.0);
            }
            if (counted.codes.empty()) return;
            const std::span<const Word> members = this->rows(*view.node);
            counted.rows.resize(members.size());
            for (std::size_t i = 0; i < members.size(); ++i) {
                const std::uint32_t sample = Layout::row(members[i]);
                counted.rows[i] = {samples_.source[sample], Layout::label(members[i]),
                                   samples_.weight[sample], samples_.support[sample]};
            }
            if (!samples_.equal_weights) {
                add_all<false>(counted);
                return;
            }
            add_all<true>(counted);
            const std::size_t classes = samples_.classes;
            for (std::size_t c = 0; c < coded_.size(); ++c) {
                if (!has_cells(view, c, rows)) continue;
                double* of_code = counted.cells + first_[c];
                for (std::size_t code = 0; code < coded_[c].size(); ++code, of_code += stride())
                    of_code[classes] = std::accumulate(of_code, of_code + classes, 0.0);
            }
        }
    }
    // The cells that count_all() has filled for a column, or null.
    const Cell* counted(const NodeView<Word>& view, std::size_t c) const {
        if constexpr (P::weighted && P::classification) {
            if (has_cells(view, c, view.node->ranges[c].size))
                return view.counted.cells + first_[c];
        }
        return nullptr;
    }
    // Turns the cells of a node, which its larger child has taken, into the cells of that child.
    void take_off_all(NodeView<Word>& larger, const NodeView<Word>& smaller) const {
        if constexpr (P::weighted && P::classification) {
            for (std::size_t c = 0; c < coded_.size(); ++c) {
                if (counted(larger, c) == nullptr) continue;
                take_off(c, larger.counted.cells + first_[c], smaller.counted.cells + first_[c]);
            }
        }
    }

  private:
    bool has_cells(const NodeView<Word>& view, std::size_t c, std::size_t rows) const {
        const Range& range = view.node->ranges[c];
        return range.coded && !range.constant && pay(c, rows);
    }
    template <bool equal>
    void add_all(CountedRows& counted) const {
        const auto& codes = counted.codes;
        const auto& to = counted.to;
        const std::size_t classes = samples_.classes;
        std::size_t k = 0;
        for (; k + 4 <= codes.size(); k += 4)
            add_weights<4, equal>(counted.rows, codes.data() + k, to.data() + k, classes);
        for (; k + 2 <= codes.size(); k += 2)
            add_weights<2, equal>(counted.rows, codes.data() + k, to.data() + k, classes);
        if (k < codes.size())
            add_weights<1, equal>(counted.rows, codes.data() + k, to.data() + k, classes);
    }

    const Samples& samples_;
    const std::vector<CodedColumn>& coded_;
    std::size_t rows_column_;
    std::vector<std::size_t> first_;  // cell of a column, in the cells of a node
    std::size_t size_ = 0;
    std::size_t columns_ = 0;
};

}  // namespace ramify
