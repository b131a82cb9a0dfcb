// Levels merged by significance, and the p-value of a split as CHAID compares it (Kass 1980):
// adjusted for the number of possible splits of the column. Invariant: that of evaluator.hpp.
// Included where a policy is instantiated.
#pragma once

#include "grow/evaluator.hpp"
#include "splits/nominal/merge_levels.hpp"

namespace ramify {

// Finds the branches of the levels in level_sums. The last level is the missing value, if that is a
// level.
template <typename P>
void Evaluator<P>::merge(const NodeView<Word>& view, const KnownRows& known, bool missing_level,
                         std::size_t c, Scratch<Word>& s, Candidate& out) const {
    const GrowParameters& parameters = problem_.parameters;
    LevelTable table;
    table.levels = s.level_support.size();
    table.width = samples_.width();
    table.sums = s.level_sums.data();
    table.support = s.level_support.data();
    table.ordered = problem_.table[c].kind == Kind::ordinal;
    table.floats = missing_level;
    if (!parameters.small_branches) table.min_rows = known.least;
    table.interrupt = &interrupt_;
    MergeOptions options = *parameters.merge;
    options.test = group_test();
    MergedLevels merged = merge_levels(table, options);
    out.branches = merged.groups;
    out.branch_of_level = std::move(merged.group_of_level);
    if (!tests_splits()) return;
    out.test.tested = merged.groups > 1;
    out.test.weight = view.node->stats.weight;
    out.test.log_p = std::min(0.0, merged.log_p + (parameters.bonferroni ? merged.log_ways : 0.0));
}

// Tests the two sides in s.children, which are one of `ways` possible splits.
template <typename P>
void Evaluator<P>::test_halves(double ways, Scratch<Word>& s, Candidate& out) const {
    const double* sides[] = {s.children.data(), s.children.data() + samples_.width()};
    out.test.tested = true;
    out.test.log_p = log_p_of_groups(sides, samples_.width(), group_test());
    if (problem_.parameters.bonferroni)
        out.test.log_p = std::min(0.0, out.test.log_p + std::log(ways));
}

// A threshold makes two groups of the values of an ordered attribute. Each value counts as a level.
template <typename P>
void Evaluator<P>::test_threshold_counts(const NodeView<Word>& view, std::size_t c,
                                         const Cell* counts, Scratch<Word>& s,
                                         Candidate& out) const {
    const std::size_t width = samples_.width();
    s.children.assign(2 * width, 0.0);
    double present = 0.0;
    for (std::size_t code = 0; code < coded_[c].values(); ++code) {
        const Cell* of_code = counts + code * stride();
        if (!(rows_of(of_code) > 0)) continue;
        present += 1.0;
        double* to =
            s.children.data() + (static_cast<std::int32_t>(code) <= out.lower_code ? 0 : width);
        if constexpr (P::classification || P::weighted) {
            for (std::size_t j = 0; j < width; ++j) to[j] += static_cast<double>(of_code[j]);
        }
    }
    if constexpr (!P::classification && !P::weighted) {
        // Only rows are counted; the target is added up from them.
        const Range& range = view.node->ranges[rows_column_];
        const Word* entries = view.node->block->columns[rows_column_].data() + range.begin;
        for (std::size_t i = 0; i < range.size; ++i) {
            const bool left = code_of(coded_[c], entries[i]) <= out.lower_code;
            P::add(samples_, entries[i], s.children.data() + (left ? 0 : width));
        }
    }
    test_halves(present - 1.0, s, out);
}

template <typename P>
void Evaluator<P>::test_threshold(const Range& range, const KnownRows& known, Scratch<Word>& s,
                                  Candidate& out) const {
    const std::size_t width = samples_.width();
    s.children.assign(2 * width, 0.0);
    double present = 0.0;
    for_each_value(known.segment.entries, range, known.segment.has_mode,
                   [&](std::size_t begin, std::size_t end, bool mode) {
                       present += 1.0;
                       add_to_side(known, out.boundary, begin, end, mode, s.children);
                   });
    // Missing rows go to either side of any cut, or are a side of their own.
    double ways = present - 1.0;
    if (known.missing && out.missing_to >= 0) {
        double* side = s.children.data() + static_cast<std::size_t>(out.missing_to) * width;
        for (std::size_t j = 0; j < width; ++j) side[j] += s.rest[j];
        ways = 2.0 * ways + 1.0;
    }
    test_halves(ways, s, out);
}

}  // namespace ramify
