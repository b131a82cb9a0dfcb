// Coded columns: contingency tables counted from codes, thresholds between codes, and the entries
// of a node that is too small to count. Invariant: that of evaluator.hpp. Included where a policy
// is instantiated.
#pragma once

#include "grow/evaluator.hpp"

namespace ramify {

template <typename P>
void Evaluator<P>::count(const OpenNode<Word>& node, std::size_t c, Cell* counts) const {
    const CodedColumn& coded = coded_[c];
    const Range& range = node.ranges[rows_column_];
    const Word* entries = node.block->columns[rows_column_].data() + range.begin;
    const std::size_t cells = stride();
    std::fill_n(counts, coded.size() * cells, Cell{0});
    if constexpr (P::weighted) {
        const std::size_t width = samples_.width();
        for (std::size_t i = 0; i < range.size; ++i) {
            Cell* of_code = counts + code_of(coded, entries[i]) * cells;
            P::add(samples_, entries[i], of_code);
            of_code[width] += P::support(samples_, entries[i]);
        }
    } else {
        for (std::size_t i = 0; i < range.size; ++i) {
            const Word entry = entries[i];
            const std::size_t first = code_of(coded, entry) * cells;
            ++counts[P::classification ? first + Layout::label(entry) : first];
        }
    }
}

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

template <typename P>
void Evaluator<P>::count_coded(NodeView<Word>& view, std::size_t rows) const {
    if constexpr (P::weighted && P::classification) {
        auto& codes = view.counted_codes;
        auto& cells = view.counted_cells;
        codes.clear();
        cells.clear();
        for (std::size_t c = 0; c < coded_.size(); ++c) {
            if (!has_cells(view, c, rows)) continue;
            codes.push_back(coded_[c].codes.data());
            cells.push_back(view.cells + first_cell_[c]);
            std::fill_n(cells.back(), this->cells(c), 0.0);
        }
        if (codes.empty()) return;
        const Range& members = view.node->ranges[rows_column_];
        const Word* entries = view.node->block->columns[rows_column_].data() + members.begin;
        view.rows.resize(members.size);
        for (std::size_t i = 0; i < members.size; ++i) {
            const std::uint32_t sample = Layout::row(entries[i]);
            view.rows[i] = {samples_.source[sample], Layout::label(entries[i]),
                            samples_.weight[sample], samples_.support[sample]};
        }
        const std::size_t classes = samples_.classes;
        const auto add = [&]<bool equal>() {
            std::size_t k = 0;
            for (; k + 4 <= codes.size(); k += 4)
                add_weights<4, equal>(view.rows, codes.data() + k, cells.data() + k, classes);
            for (; k + 2 <= codes.size(); k += 2)
                add_weights<2, equal>(view.rows, codes.data() + k, cells.data() + k, classes);
            if (k < codes.size())
                add_weights<1, equal>(view.rows, codes.data() + k, cells.data() + k, classes);
        };
        if (!samples_.equal_weights) {
            add.template operator()<false>();
            return;
        }
        add.template operator()<true>();
        for (std::size_t c = 0; c < coded_.size(); ++c) {
            if (!has_cells(view, c, rows)) continue;
            double* of_code = view.cells + first_cell_[c];
            for (std::size_t code = 0; code < coded_[c].size(); ++code, of_code += stride())
                of_code[classes] = std::accumulate(of_code, of_code + classes, 0.0);
        }
    }
}

template <typename P>
auto Evaluator<P>::counted(const NodeView<Word>& view, std::size_t c, Scratch<Word>& s,
                           const Cell* counts) const -> const Cell* {
    if (counts != nullptr) return counts;
    auto& cells = s.template cells<Cell>();
    cells.resize(this->cells(c));
    count(*view.node, c, cells.data());
    return cells.data();
}

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

template <typename P>
void Evaluator<P>::numeric_from_counts(const NodeView<Word>& view, Range& range, std::size_t c,
                                       Scratch<Word>& s, Candidate& out, const Cell* counts) const {
    const NodeStats& stats = view.node->stats;
    const CodedColumn& coded = coded_[c];
    const std::size_t classes = std::max<std::size_t>(1, samples_.classes);
    const std::size_t cells = stride();
    counts = counted(view, c, s, counts);
    if constexpr (!P::classification && !P::weighted) {
        const Word* entries = view.node->block->columns[rows_column_].data() + range.begin;
        s.target_sums.assign(coded.values(), 0.0);
        for (std::size_t i = 0; i < range.size; ++i) {
            const std::uint32_t row = Layout::row(entries[i]);
            s.target_sums[coded.codes[row]] += samples_.target[row];
        }
    }
    s.known.assign(samples_.width(), 0.0);
    std::size_t present = 0;
    const auto drive = [&](auto& walk) {
        std::optional<std::pair<std::size_t, std::size_t>> best;
        std::size_t last = 0;
        const auto step = [&](std::size_t code) {
            const Cell* of_code = counts + code * cells;
            const Cell rows = rows_of(of_code);
            if (!(rows > 0)) return;
            if (present++ > 0 && walk.better()) {
                walk.accept();
                best = {last, code};
            }
            last = code;
            if constexpr (P::weighted) {
                walk.add_block(of_code, rows);
            } else if constexpr (CellWalk<std::remove_reference_t<decltype(walk)>>) {
                walk.add_cells(of_code, static_cast<double>(rows));
            } else {
                for (std::size_t j = 0; j < classes; ++j)
                    s.known[j] = static_cast<double>(of_code[j]);
                if constexpr (!P::classification) s.known[1] = s.target_sums[code];
                walk.add_block(s.known.data(), static_cast<double>(rows));
            }
        };
        std::size_t code = 0;
        if constexpr (CellWalk<std::remove_reference_t<decltype(walk)>>) {
            const std::size_t block = walk.block_size();
            while (block > 0 && code + block <= coded.values()) {
                const std::size_t end = code + block;
                const CodeBlock sums = sum_block(counts, classes, code, end);
                if (walk.skip(sums.rows)) {
                    present += sums.present;
                    if (sums.present > 0) last = sums.last;
                    code = end;
                } else {
                    while (code < end) step(code++);
                }
            }
        }
        while (code < coded.values()) step(code++);
        return best;
    };
    const WalkTotal whole =
        total(stats.sums.data(), stats.weight, stats.support, stats.scale, view.floor);
    const auto [cut, gain] = [&] {
        if constexpr (P::classification && !P::weighted) {
            if (problem_.criterion->of_thresholds().walk_kind() == WalkKind::gini) {
                GiniCellWalk walk(whole, classes, s.sums);
                auto found = drive(walk);
                return std::pair(found, walk.gain());
            }
        }
        return with_walk(whole, samples_, s, drive);
    }();
    range.constant = present < 2;
    if (!cut) return;
    out.kind = ConditionKind::threshold;
    out.gain = gain;
    out.counted = true;
    out.lower_code = static_cast<std::int32_t>(cut->first);
    out.upper_code = static_cast<std::int32_t>(cut->second);
    if (tests_splits()) test_threshold_counts(view, c, counts, s, out);
    if (by_information()) weigh_counts(view, counts, coded.values(), s, out);
}

template <typename P>
void Evaluator<P>::put_in_order(const NodeView<Word>& view, Range& range, std::size_t c,
                                Scratch<Word>& s) const {
    const CodedColumn& coded = coded_[c];
    const Word* from = view.node->block->columns[rows_column_].data() + range.begin;
    Word* to = view.node->block->columns[c].data() + range.begin;
    s.histogram.assign(coded.size() + 1, 0);
    for (std::size_t i = 0; i < range.size; ++i) ++s.histogram[code_of(coded, from[i]) + 1u];
    for (std::size_t code = 0; code < coded.size(); ++code)
        s.histogram[code + 1] += s.histogram[code];
    for (std::size_t i = 0; i < range.size; ++i) {
        const Word entry = from[i] & static_cast<Word>(~Layout::fresh_bit);
        to[s.histogram[code_of(coded, entry)]++] = entry;
    }
    // Each counter is now at the end of its value, where the next value begins. Missing cells come
    // last and have no entries.
    to[0] |= Layout::fresh_bit;
    for (std::size_t code = 0; code < coded.values(); ++code) {
        if (s.histogram[code] < range.size) to[s.histogram[code]] |= Layout::fresh_bit;
    }
    if (coded.holes) range.size = s.histogram[coded.values() - 1];
    range.coded = false;
}

}  // namespace ramify
