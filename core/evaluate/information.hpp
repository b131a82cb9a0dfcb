// Gain ratio: a threshold is found by information gain (Quinlan 1993), and every candidate needs
// both its ratio and its information gain. Invariant: both are those of the partition that the
// candidate makes.
#pragma once

#include <algorithm>
#include <cmath>

#include "evaluate/missing_rules.hpp"
#include "evaluate/workspace.hpp"

namespace ramify {

template <Target P>
class Information {
  public:
    using Word = typename P::Word;

    Information(const Context<P>& context, const MissingRules<P>& missing)
        : context_(context), missing_(missing) {}

    bool asked() const { return context_.criterion.by_information(); }

    // For a threshold found from the cells of a coded column, all of whose rows have a value.
    void weigh(const NodeView<Word>& view, const CodedForm<P>& form, Workspace<Word>& s,
               Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        const double least = context_.parameters.min_candidate_leaf();
        s.branches.assign(2 * context_.samples.width(), 0.0);
        std::size_t cuts = 0;
        form.sum_sides(out, s.branches, [&](double left) {
            const double right = stats.support - left;
            cuts += enough_rows(left, least) && enough_rows(right, least) && right >= row_slack;
        });
        weigh_branches(stats.sums.data(), stats.weight, 0.0, cuts, s, out);
    }

    // For a column in order, or a division of levels.
    void weigh(const NodeView<Word>& view, const OrderedForm<P>& form, Workspace<Word>& s,
               Candidate& out) const {
        weigh_known(view, s, out, [&](double left, double all, double most) {
            std::size_t cuts = 0;
            form.sum_sides(s.known, out.boundary, s.branches, [&](double known) {
                const double rows = left + known;
                cuts += enough_rows(rows, s.known.least) &&
                        enough_rows(all - rows, s.known.least) && rows < most - row_slack;
            });
            if (context_.survey == nullptr) return cuts;
            const bool whole = s.known.missing && out.missing_to >= 0;
            return context_.survey->cuts(!whole                ? HolesOfCut::out
                                         : out.missing_to == 0 ? HolesOfCut::left
                                                               : HolesOfCut::right);
        });
    }
    void weigh_levels(const NodeView<Word>& view, Workspace<Word>& s, Candidate& out) const {
        weigh_known(view, s, out, [](double, double, double) { return std::size_t{0}; });
    }

  private:
    // `sum_cut`: adds up both sides of a threshold, and counts the thresholds that leave every
    // child the least number of rows.
    template <typename SumCut>
    void weigh_known(const NodeView<Word>& view, Workspace<Word>& s, Candidate& out,
                     SumCut&& sum_cut) const {
        const std::size_t width = context_.samples.width();
        const NodeStats& stats = view.node->stats;
        const KnownRows<Word>& known = s.known;
        const bool whole = known.missing && out.missing_to >= 0;  // missing rows have a branch
        const bool combined = missing_.combines(known);
        const double* node = whole || combined ? stats.sums.data() : known.sums;
        s.branches.assign(out.branches * width, 0.0);
        const auto add = [&](std::int32_t branch, const double* sums) {
            double* to = s.branches.data() + static_cast<std::size_t>(branch) * width;
            for (std::size_t j = 0; j < width; ++j) to[j] += sums[j];
        };
        std::size_t cuts = 0;
        if (out.kind == ConditionKind::threshold) {
            const double all = whole ? stats.support : known.support;
            const double left = whole && out.missing_to == 0 ? all - known.support : 0.0;
            // At `most`, all known values are on the left.
            cuts = sum_cut(left, all, left + known.support);
        } else {
            // Not the level of missing cells.
            for (std::size_t l = 0; l < out.branch_of_level.size(); ++l)
                add(out.branch_of_level[l], s.levels.sums.data() + l * width);
        }
        if (whole) add(out.missing_to, known.rest.data());
        // Where levels are divided in two, the missing rows have been divided already.
        if (combined && out.kind != ConditionKind::subset)
            missing_.divide_rest(s.branches.data(), out.branches, known);
        // Where levels are divided in two, the search compares ratios of the known rows alone.
        const bool spread = known.missing && !whole && !combined && context_.parameters.multiway;
        weigh_branches(node, combined ? stats.weight : known.weight,
                       spread ? stats.weight - known.weight : 0.0, cuts, s, out);
    }

    // The ratio and the information gain of the partition in s.branches, whose rows weigh `weight`.
    // Rows of weight `spread` go to all branches in addition. `cuts`: the number of thresholds to
    // choose from, 0 for levels.
    void weigh_branches(const double* node, double weight, double spread, std::size_t cuts,
                        Workspace<Word>& s, Candidate& out) const {
        const Criterion& criterion = context_.criterion;
        const Partition partition{node, s.branches.data(), out.branches, context_.samples.width()};
        out.information = criterion.of_thresholds().score(partition);
        out.gain = criterion.score(partition);
        if (spread > 0.0 && out.gain > 0.0) {
            // The split information counts missing rows as one more branch (Quinlan 1993, section
            // 3.2).
            const double known = weight / (weight + spread);
            const double split = out.information / out.gain;
            const double whole =
                known * (split - std::log2(known)) - (1.0 - known) * std::log2(1.0 - known);
            out.gain *= split / whole;
        }
        if (!context_.parameters.numeric_penalty || cuts == 0) return;
        // C4.5 release 8 (Quinlan 1996): the gain pays for telling which of the cuts was chosen.
        const double left = out.information - std::log2(static_cast<double>(cuts)) / weight;
        if (left <= 0.0) {
            out.kind = ConditionKind::leaf;
            return;
        }
        out.gain *= left / out.information;
        out.information = left;
    }

    const Context<P>& context_;
    const MissingRules<P>& missing_;
};

}  // namespace ramify
