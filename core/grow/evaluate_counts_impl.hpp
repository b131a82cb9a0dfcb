// Coded columns: contingency tables counted from codes, thresholds between codes, and how a node
// too small to count gets its entries.
#pragma once

#include "grow/evaluator.hpp"

namespace ramify {

template <typename P>
void Evaluator<P>::count(const OpenNode<Word>& node, const Range& range, std::size_t c,
                         Cell* counts) const {
    const CodedColumn& coded = coded_[c];
    const Word* entries = node.block->columns[rows_column_].data() + range.begin;
    const std::size_t cells = stride();
    std::fill_n(counts, coded.values() * cells, Cell{0});
    if constexpr (P::weighted) {
        const std::size_t width = samples_.width();
        for (std::size_t i = 0; i < range.size; ++i) {
            Cell* of_code = counts + code_of(coded, entries[i]) * cells;
            P::add(samples_, entries[i], of_code);
            of_code[width] += P::fraction(samples_, entries[i]);
        }
    } else {
        for (std::size_t i = 0; i < range.size; ++i) {
            const Word entry = entries[i];
            const std::size_t first = code_of(coded, entry) * cells;
            ++counts[P::classification ? first + Layout::label(entry) : first];
        }
    }
}

template <typename P>
auto Evaluator<P>::counted(const NodeView<Word>& view, const Range& range, std::size_t c,
                           Scratch<Word>& s, const Cell* counts) const -> const Cell* {
    if (counts != nullptr) return counts;
    auto& cells = s.template cells<Cell>();
    cells.resize(coded_[c].values() * stride());
    count(*view.node, range, c, cells.data());
    return cells.data();
}

template <typename P>
void Evaluator<P>::numeric_from_counts(const NodeView<Word>& view, Range& range, std::size_t c,
                                       Scratch<Word>& s, Candidate& out, const Cell* counts) const {
    const NodeStats& stats = view.node->stats;
    const CodedColumn& coded = coded_[c];
    const std::size_t classes = std::max<std::size_t>(1, samples_.classes);
    const std::size_t cells = stride();
    counts = counted(view, range, c, s, counts);
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
        for (std::size_t code = 0; code < coded.values(); ++code) {
            const Cell* of_code = counts + code * cells;
            const Cell rows = rows_of(of_code);
            if (!(rows > 0)) continue;
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
        }
        return best;
    };
    const WalkTotal whole = total(stats.sums.data(), stats.weight, stats.support, stats.scale);
    const auto [cut, gain] = [&] {
        if constexpr (P::classification && !P::weighted) {
            if (problem_.criterion->of_thresholds().walk() == Walk::gini) {
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
    if (by_information()) weigh_counts(view, counts, coded.values(), s, out);
}

template <typename P>
void Evaluator<P>::put_in_order(const NodeView<Word>& view, Range& range, std::size_t c,
                                Scratch<Word>& s) const {
    const CodedColumn& coded = coded_[c];
    const Word* from = view.node->block->columns[rows_column_].data() + range.begin;
    Word* to = view.node->block->columns[c].data() + range.begin;
    s.histogram.assign(coded.values() + 1, 0);
    for (std::size_t i = 0; i < range.size; ++i) ++s.histogram[code_of(coded, from[i]) + 1u];
    for (std::size_t code = 0; code < coded.values(); ++code)
        s.histogram[code + 1] += s.histogram[code];
    for (std::size_t i = 0; i < range.size; ++i) {
        const Word entry = from[i] & static_cast<Word>(~Layout::fresh_bit);
        to[s.histogram[code_of(coded, entry)]++] = entry;
    }
    // Each counter now stands at the end of its value, where the next one begins.
    to[0] |= Layout::fresh_bit;
    for (std::size_t code = 0; code < coded.values(); ++code) {
        if (s.histogram[code] < range.size) to[s.histogram[code]] |= Layout::fresh_bit;
    }
    range.coded = false;
}

}  // namespace ramify
