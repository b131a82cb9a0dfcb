// What the tree is told of a split: its threshold or its levels, and the rows of its branches.
// Invariant: sending every row by the description gives the branches that the candidate has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "evaluate/missing_rules.hpp"
#include "node/built_condition.hpp"

namespace ramify {

using BranchOfLevel = std::vector<std::pair<std::int32_t, std::int32_t>>;

// The branches of all levels of an ordinal column, given those of the levels at the node. An absent
// level goes with the next higher one, as at a threshold. Levels above the highest go with the
// highest.
inline BranchOfLevel filled(const BranchOfLevel& present, std::size_t levels) {
    BranchOfLevel result;
    std::size_t next = 0;
    for (std::int32_t code = 0; code < static_cast<std::int32_t>(levels); ++code) {
        if (code > present[next].first && next + 1 < present.size()) ++next;
        result.emplace_back(code, present[next].second);
    }
    return result;
}

inline double threshold_of(const Column& column, double lower, double upper) {
    return column.kind == Kind::ordinal ? lower : threshold_between(lower, upper);
}

template <Target P>
class Description {
  public:
    using Node = OpenNode<typename P::Word>;

    Description(const Context<P>& context, const MissingRules<P>& missing)
        : context_(context), missing_(missing) {}

    BuiltCondition of(const Node& node, std::size_t c, const Candidate& split) const {
        BuiltCondition condition;
        condition.kind = split.kind;
        condition.attribute = static_cast<std::int32_t>(c);
        condition.missing_to = split.missing_to;
        condition.gain = split.gain;
        if (split.kind == ConditionKind::threshold) {
            condition.threshold = threshold(node, c, split);
        } else {
            condition.levels = levels(node, c, split);
        }
        return condition;
    }

    // The rows in the smallest branch of a split. Divided rows are included if pieces count as
    // rows.
    double smallest_branch(const Node& node, std::size_t c, const Candidate& split) const {
        std::vector<double> support(split.branches, 0.0);
        if (split.counted) {
            context_.coded(node, c).sum_support(split, support);
        } else {
            context_.ordered(node, c).sum_support(split, support);
        }
        const double known = std::accumulate(support.begin(), support.end(), 0.0);
        const double missing = node.stats.support - known;
        if (split.missing_to >= 0) support[static_cast<std::size_t>(split.missing_to)] += missing;
        double smallest = *std::min_element(support.begin(), support.end());
        if (split.missing_to < 0 && context_.parameters.counts_pieces())
            smallest += missing_.divided_rows(node, c, missing);
        return smallest;
    }

  private:
    double threshold(const Node& node, std::size_t c, const Candidate& split) const {
        if (split.known_only) return std::numeric_limits<double>::infinity();
        if (node.plan.forced()) {
            const auto place = static_cast<std::size_t>(node.plan.place);
            return context_.problem.constraints->skeleton[place].threshold;
        }
        const auto [lower, upper] = split.counted
                                        ? context_.coded(node, c).values_at(split)
                                        : context_.ordered(node, c).values_at(split.boundary);
        return threshold_of(context_.problem.table[c], lower, upper);
    }

    // Codes and branches of the levels present at the node.
    BranchOfLevel levels(const Node& node, std::size_t c, const Candidate& split) const {
        const Column& column = context_.problem.table[c];
        BranchOfLevel result;
        result.reserve(split.branch_of_level.size());
        if (split.counted) {
            const CodedForm<P> form = context_.coded(node, c);
            for (const std::int32_t code : split.level_codes)
                result.emplace_back(form.level(code), split.branch_of_level[result.size()]);
        } else {
            context_.ordered(node, c).for_each_level([&](std::size_t row) {
                result.emplace_back(column.codes[row], split.branch_of_level[result.size()]);
            });
        }
        return column.kind == Kind::ordinal ? filled(result, column.levels) : result;
    }

    const Context<P>& context_;
    const MissingRules<P>& missing_;
};

}  // namespace ramify
