// Gain ratio: a threshold is found by information gain (Quinlan 1993), and every candidate needs
// both its ratio and its information gain.
#pragma once

#include "grow/evaluator.hpp"

namespace ramify {

// Ratio and information gain of the partition in s.children; `cuts`: among how many thresholds it
// was chosen, 0 for nominal columns.
template <typename P>
void Evaluator<P>::weigh_information(const double* node, double known_weight, std::size_t cuts,
                                     Scratch<Word>& s, Candidate& out) const {
    if constexpr (P::classification) {
        const Criterion& criterion = *problem_.criterion;
        const Partition partition{node, s.children.data(), out.branches, samples_.classes};
        out.information = criterion.of_thresholds().score(partition);
        out.gain = criterion.score(partition);
        if (!problem_.parameters.numeric_penalty || cuts == 0) return;
        // C4.5 release 8 (Quinlan 1996): which of the cuts it was has to be told, too.
        const double left = out.information - std::log2(static_cast<double>(cuts)) / known_weight;
        if (left <= 0.0) {
            out.kind = ConditionKind::leaf;
            return;
        }
        out.gain *= left / out.information;
        out.information = left;
    }
}

// For a column in order: the children of the candidate, then weigh_information().
template <typename P>
void Evaluator<P>::weigh_candidate(const NodeView<Word>& view, const Range& range,
                                   const Known& known, Scratch<Word>& s, Candidate& out) const {
    const std::size_t width = samples_.width();
    const bool whole = known.missing && out.missing_to >= 0;  // missing rows have a branch
    const double* node = whole ? view.node->stats.sums.data() : known.sums;
    s.children.assign(out.branches * width, 0.0);
    const auto add = [&](std::size_t branch, const double* sums) {
        for (std::size_t j = 0; j < width; ++j) s.children[branch * width + j] += sums[j];
    };
    std::size_t cuts = 0;
    if (out.kind == ConditionKind::threshold) {
        std::size_t values = 0;
        for_each_value(known.segment.entries, range, known.segment.has_mode,
                       [&](std::size_t begin, std::size_t end, bool mode) {
                           ++values;
                           if (mode) {
                               add(out.boundary.mode_left ? 0 : 1, known.segment.mode_sums);
                               return;
                           }
                           const std::size_t branch = begin < out.boundary.position ? 0 : 1;
                           for (std::size_t i = begin; i < end; ++i)
                               P::add(samples_, known.segment.entries[i],
                                      s.children.data() + branch * width);
                       });
        cuts = values - 1;
    } else {
        const std::size_t levels = out.branch_of_level.size();  // without that of missing cells
        for (std::size_t l = 0; l < levels; ++l) {
            add(static_cast<std::size_t>(out.branch_of_level[l]), s.level_sums.data() + l * width);
        }
    }
    if (whole) add(static_cast<std::size_t>(out.missing_to), s.rest.data());
    weigh_information(node, known.weight, cuts, s, out);
}

}  // namespace ramify
