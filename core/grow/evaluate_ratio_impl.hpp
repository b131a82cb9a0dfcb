// Gain ratio: a threshold is found by information gain (Quinlan 1993), and every candidate needs
// both its ratio and its information gain. Invariant: that of evaluator.hpp. Included where a
// policy is instantiated.
#pragma once

#include "grow/evaluator.hpp"

namespace ramify {

// The ratio and the information gain of the partition in s.children, whose rows weigh `weight`.
// Rows of weight `spread` go to all branches in addition. `cuts`: the number of thresholds to
// choose from, 0 for nominal columns.
template <typename P>
void Evaluator<P>::weigh_information(const double* node, double weight, double spread,
                                     std::size_t cuts, Scratch<Word>& s, Candidate& out) const {
    if constexpr (P::classification) {
        const Criterion& criterion = *problem_.criterion;
        const Partition partition{node, s.children.data(), out.branches, samples_.classes};
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
        if (!problem_.parameters.numeric_penalty || cuts == 0) return;
        // C4.5 release 8 (Quinlan 1996): the gain pays for telling which of the cuts was chosen.
        const double left = out.information - std::log2(static_cast<double>(cuts)) / weight;
        if (left <= 0.0) {
            out.kind = ConditionKind::leaf;
            return;
        }
        out.gain *= left / out.information;
        out.information = left;
    }
}

// For a threshold found from the counts of a coded column, all of whose cells are known.
template <typename P>
void Evaluator<P>::weigh_counts(const NodeView<Word>& view, const Cell* counts, std::size_t values,
                                Scratch<Word>& s, Candidate& out) const {
    const std::size_t classes = samples_.classes;
    const NodeStats& stats = view.node->stats;
    const double least = problem_.parameters.min_candidate_leaf() - 1e-9;
    s.children.assign(2 * classes, 0.0);
    double left = 0.0;
    std::size_t cuts = 0;
    for (std::size_t code = 0; code < values; ++code) {
        const Cell* of_code = counts + code * stride();
        const auto rows = static_cast<double>(rows_of(of_code));
        if (!(rows > 0.0)) continue;
        left += rows;
        const bool below = static_cast<std::int32_t>(code) <= out.lower_code;
        for (std::size_t j = 0; j < classes; ++j)
            s.children[(below ? 0 : classes) + j] += static_cast<double>(of_code[j]);
        cuts += left >= least && stats.support - left >= std::max(least, 1e-9);
    }
    weigh_information(stats.sums.data(), stats.weight, 0.0, cuts, s, out);
}

// For a column in order: adds up the children of the candidate, then calls weigh_information().
template <typename P>
void Evaluator<P>::weigh_candidate(const NodeView<Word>& view, const Range& range,
                                   const KnownRows& known, Scratch<Word>& s, Candidate& out) const {
    const std::size_t width = samples_.width();
    const bool whole = known.missing && out.missing_to >= 0;  // missing rows have a branch
    const bool combined = combines(known);
    const NodeStats& stats = view.node->stats;
    const double* node = whole || combined ? stats.sums.data() : known.sums;
    s.children.assign(out.branches * width, 0.0);
    const auto add = [&](std::size_t branch, const double* sums) {
        for (std::size_t j = 0; j < width; ++j) s.children[branch * width + j] += sums[j];
    };
    // The thresholds that leave every child the least number of rows.
    std::size_t cuts = 0;
    if (out.kind == ConditionKind::threshold) {
        const double least = known.least - 1e-9;
        const double all = whole ? stats.support : known.support;
        double left = whole && out.missing_to == 0 ? all - known.support : 0.0;
        const double most = left + known.support;  // all known values are on the left then
        for_each_value(known.segment.entries, range, known.segment.has_mode,
                       [&](std::size_t begin, std::size_t end, bool mode) {
                           for (std::size_t i = begin; i < end; ++i)
                               left += P::support(samples_, known.segment.entries[i]);
                           if (mode) left += known.segment.mode_support;
                           cuts += left >= least && all - left >= least && left < most - 1e-9;
                           add_to_side(known, out.boundary, begin, end, mode, s.children);
                       });
    } else {
        const std::size_t levels = out.branch_of_level.size();  // not that of missing cells
        for (std::size_t l = 0; l < levels; ++l) {
            add(static_cast<std::size_t>(out.branch_of_level[l]), s.level_sums.data() + l * width);
        }
    }
    if (whole) add(static_cast<std::size_t>(out.missing_to), s.rest.data());
    // Where levels are divided in two, the missing rows have been divided already.
    if (combined && out.kind != ConditionKind::subset)
        divide_rest(s.children.data(), out.branches, known, s);
    // Where levels are divided in two, the search compares ratios of the known rows alone.
    const bool spread = known.missing && !whole && !combined && problem_.parameters.multiway;
    weigh_information(node, combined ? stats.weight : known.weight,
                      spread ? stats.weight - known.weight : 0.0, cuts, s, out);
}

}  // namespace ramify
