// The rows that a split would send down each branch, counted before the split is made. Invariant:
// that of evaluator.hpp. Included where a policy is instantiated.
#pragma once

#include "grow/evaluator.hpp"

namespace ramify {

template <typename P>
double Evaluator<P>::smallest_branch(const OpenNode<Word>& node, std::size_t c,
                                     const Candidate& candidate) const {
    const Range& range = node.ranges[c];
    const bool threshold = candidate.kind == ConditionKind::threshold;
    std::vector<double> support(candidate.branches, 0.0);
    if (candidate.counted) {
        std::vector<std::size_t> branch_of_code(coded_[c].size(), 0);
        for (std::size_t l = 0; !threshold && l < candidate.level_codes.size(); ++l) {
            branch_of_code[static_cast<std::size_t>(candidate.level_codes[l])] =
                static_cast<std::size_t>(candidate.branch_of_level[l]);
        }
        const auto lower = static_cast<std::size_t>(candidate.lower_code);
        const Word* entries = node.block->columns[rows_column_].data() + range.begin;
        for (std::size_t i = 0; i < range.size; ++i) {
            const std::size_t code = code_of(coded_[c], entries[i]);
            if (code == coded_[c].values()) continue;  // missing
            support[threshold ? (code > lower ? 1 : 0) : branch_of_code[code]] +=
                P::support(samples_, entries[i]);
        }
    } else {
        const Word* entries = node.block->columns[c].data() + range.begin;
        const bool mode_present =
            hidden_[c] && static_cast<std::int64_t>(range.size) < node.stats.rows;
        std::size_t level = 0;
        for_each_value(
            entries, range, mode_present, [&](std::size_t begin, std::size_t end, bool mode) {
                const bool left =
                    mode ? candidate.boundary.mode_left : begin < candidate.boundary.position;
                const auto branch =
                    threshold ? std::size_t{left ? 0u : 1u}
                              : static_cast<std::size_t>(candidate.branch_of_level[level++]);
                if (mode) support[branch] += node.stats.support - static_cast<double>(range.size);
                for (std::size_t i = begin; i < end; ++i)
                    support[branch] += P::support(samples_, entries[i]);
            });
    }
    if (candidate.missing_to >= 0) {
        const double known = std::accumulate(support.begin(), support.end(), 0.0);
        support[static_cast<std::size_t>(candidate.missing_to)] += node.stats.support - known;
    }
    double smallest = *std::min_element(support.begin(), support.end());
    if (candidate.missing_to < 0 && problem_.parameters.counts_pieces()) {
        const double known = std::accumulate(support.begin(), support.end(), 0.0);
        smallest += divided_rows(node, c, node.stats.support - known);
    }
    return smallest;
}

}  // namespace ramify
