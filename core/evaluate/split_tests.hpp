// Levels merged by significance, and the p-value of a split as CHAID compares it (Kass 1980):
// adjusted for the number of possible splits of the column. Invariant: a split that was not tested
// has no p-value.
#pragma once

#include <algorithm>
#include <cmath>

#include "evaluate/missing_rules.hpp"
#include "evaluate/workspace.hpp"
#include "splits/nominal/merge_levels.hpp"

namespace ramify {

template <Target P>
class SplitTests {
  public:
    using Word = typename P::Word;

    explicit SplitTests(const Context<P>& context) : context_(context) {}

    // Whether the split itself is tested, once it is known.
    bool asked() const { return context_.parameters.selection == Selection::chaid; }

    // Finds the branches of the levels. The last level is the missing value, if that is a level.
    void merge(const NodeView<Word>& view, bool missing_level, std::size_t c, Workspace<Word>& s,
               Candidate& out) const {
        const GrowParameters& parameters = context_.parameters;
        LevelsToMerge table;
        table.levels = s.levels.size();
        table.width = context_.samples.width();
        table.sums = s.levels.sums.data();
        table.support = s.levels.support.data();
        table.ordered = context_.problem.table[c].kind == Kind::ordinal;
        table.floats = missing_level;
        if (!parameters.small_branches) table.min_rows = s.known.least;
        table.interrupt = &context_.interrupt;
        MergeOptions options = *parameters.merge;
        options.test = group_test();
        MergedLevels merged = merge_levels(table, options);
        out.branches = merged.groups;
        out.branch_of_level = std::move(merged.group_of_level);
        if (!asked()) return;
        out.test.tested = merged.groups > 1;
        out.test.weight = view.node->stats.weight;
        out.test.log_p =
            std::min(0.0, merged.log_p + (parameters.bonferroni ? merged.log_ways : 0.0));
    }

    // A threshold makes two groups of the values of an ordered attribute. Each value counts as a
    // level.
    void test_threshold(const CodedForm<P>& form, Workspace<Word>& s, Candidate& out) const {
        s.branches.assign(2 * context_.samples.width(), 0.0);
        const std::size_t values = form.sum_sides(out, s.branches, [](double) {});
        test_halves(static_cast<double>(values) - 1.0, s, out);
    }
    void test_threshold(const OrderedForm<P>& form, Workspace<Word>& s, Candidate& out) const {
        const std::size_t width = context_.samples.width();
        s.branches.assign(2 * width, 0.0);
        const std::size_t values = form.sum_sides(s.known, out.boundary, s.branches, [](double) {});
        // Missing rows go to either side of any cut, or are a side of their own.
        double ways =
            static_cast<double>(context_.survey != nullptr ? context_.survey->values() : values) -
            1.0;
        if (s.known.missing && out.missing_to >= 0) {
            double* side = s.branches.data() + static_cast<std::size_t>(out.missing_to) * width;
            for (std::size_t j = 0; j < width; ++j) side[j] += s.known.rest[j];
            ways = 2.0 * ways + 1.0;
        }
        test_halves(ways, s, out);
    }

  private:
    GroupTest group_test() const {
        return P::classification ? context_.parameters.merge->test : GroupTest::f;
    }
    // Tests the two sides in s.branches, which are one of `ways` possible splits.
    void test_halves(double ways, Workspace<Word>& s, Candidate& out) const {
        const std::size_t width = context_.samples.width();
        const double* sides[] = {s.branches.data(), s.branches.data() + width};
        out.test.tested = true;
        out.test.log_p = log_p_of_groups(sides, width, group_test());
        if (context_.parameters.bonferroni)
            out.test.log_p = std::min(0.0, out.test.log_p + std::log(ways));
    }

    const Context<P>& context_;
};

}  // namespace ramify
