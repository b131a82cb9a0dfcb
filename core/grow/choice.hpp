// Which attribute splits a node, once all columns are evaluated, and whether that split is good
// enough. Invariant: the choice depends on the candidates alone. Ties go to the
// lower index, or to the best balanced split and then to the lower index.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "columns/forms.hpp"
#include "evaluate/evaluator.hpp"
#include "grow/builder.hpp"
#include "select/by_chance.hpp"
#include "select/by_criterion.hpp"
#include "select/by_gain_ratio.hpp"
#include "select/conditional_inference.hpp"

namespace ramify {

template <Target P>
class SplitChoice {
  public:
    using Word = typename P::Word;
    using Node = OpenNode<Word>;

    SplitChoice(const Context<P>& context, const Evaluator<P>& evaluator)
        : context_(context), parameters_(context.parameters), evaluator_(evaluator) {}

    // Whether a node may be split at all.
    bool may_split(const NodeStats& stats, std::int32_t depth) const {
        // A divided row counts in both branches, and each branch needs at least one row of its own.
        const double leaf = parameters_.min_samples_leaf;
        const double least = divides_into_pieces_ ? leaf + 1.0 : 2.0 * leaf;
        return depth < parameters_.max_depth &&
               enough_rows(stats.support, parameters_.min_samples_split) &&
               enough_rows(stats.support, least) &&
               stats.weight >= parameters_.min_weight_split * (1.0 - row_slack) &&
               stats.weight >= 2.0 * context_.branch_limits.least_weight() &&
               !stats.pure(P::classification) && !(parameters_.labels_only && one_label(stats));
    }
    // Whether a split that gains so much is worth making.
    bool acceptable(const NodeStats& stats, double gain) const {
        gain -= context_.baseline(stats);
        const double tolerance = tie_of(stats);
        // A negative min_gain allows splits that gain nothing, for every criterion.
        const bool may_gain_nothing =
            context_.criterion.needs_no_gain() || parameters_.min_gain < 0.0;
        return (may_gain_nothing || gain > tolerance) && gain >= parameters_.min_gain - tolerance;
    }

    // Whether only the best split of a node is needed.
    bool only_best(const Node& node) const {
        return node.depth >= parameters_.competitor_depth && !evaluator_.by_p_value() &&
               !evaluator_.chance().asked();
    }
    // Later columns need not find splits that cannot win. The floor stays below all gains that tie
    // with the best, so that ties are decided as without it.
    void raise_floor(NodeView<Word>& view, const Candidate& candidate) const {
        if (context_.criterion.by_information()) return;  // other gains decide as well
        view.floor = std::max(view.floor, candidate.gain - 2.0 * tie_of(view.node->stats));
    }
    // Decides on the best split of a node, given a candidate per column. False: the node stays a
    // leaf. The splits of the other columns go to the builder.
    bool choose(const NodeView<Word>& view, Candidate* candidates, Node& node, Builder& builder,
                Workspace<Word>& s) const {
        const std::size_t columns = context_.problem.table.size();
        node.column = select(view, candidates, node, s);
        if (node.column < 0) {
            if (evaluator_.by_p_value()) {
                const double log_p = smallest_log_p(candidates, columns, parameters_);
                if (log_p > std::log(parameters_.alpha)) builder.set_log_p(node.id, log_p);
            }
            return false;
        }
        const auto c = static_cast<std::size_t>(node.column);
        Candidate& best = candidates[c];
        if (parameters_.abandon_small &&
            !enough_rows(evaluator_.describe().smallest_branch(node, c, best),
                         parameters_.min_samples_leaf))
            return false;
        if (evaluator_.by_p_value()) {
            node.log_p = log_p_value(candidates, columns, c, parameters_);
        } else if (evaluator_.chance().asked()) {
            node.log_p = s.claims[c].log_p;
        } else {
            node.log_p = std::numeric_limits<double>::quiet_NaN();
        }
        const double baseline = context_.baseline(node.stats);
        best.gain = std::max(best.gain - baseline, 0.0);  // rounding
        if (node.depth < parameters_.competitor_depth)
            remember(candidates, node, baseline, builder.side(node.id).competitors);
        std::swap(node.best, best);
        return true;
    }

    const ChanceJudge<P>& judge() const { return evaluator_.chance(); }

  private:
    // The attribute to split an evaluated node by, or -1.
    std::int32_t select(const NodeView<Word>& view, Candidate* candidates, Node& node,
                        Workspace<Word>& s) const {
        const std::size_t columns = context_.problem.table.size();
        if (evaluator_.chance().asked()) return select_beyond_chance(view, candidates, node, s);
        if (!evaluator_.by_p_value()) {
            const double tolerance = tie_of(node.stats);
            const std::int32_t best =
                context_.criterion.by_information()
                    ? select_by_gain_ratio(candidates, columns, tolerance, context_.balances_ties)
                    : select_by_criterion(candidates, columns, tolerance, context_.balances_ties);
            return best >= 0 && acceptable(node.stats, candidates[best].gain) ? best : -1;
        }
        // If the limits leave an attribute no split, the next one is tried.
        std::vector<bool> refused(columns, false);
        for (;;) {
            const std::int32_t best =
                select_by_inference(candidates, columns, refused, parameters_);
            if (best < 0) return -1;
            const auto c = static_cast<std::size_t>(best);
            if (candidates[c].pending) evaluator_.search(view, node.ranges[c], c, s, candidates[c]);
            if (candidates[c].valid() && acceptable(node.stats, candidates[c].gain)) return best;
            refused[c] = true;
        }
    }

    // The attribute whose gain is least likely by chance; of those that tie, the one that gains
    // most. The claims stay in the workspace.
    std::int32_t select_beyond_chance(const NodeView<Word>& view, Candidate* candidates, Node& node,
                                      Workspace<Word>& s) const {
        const ChanceJudge<P>& judge = evaluator_.chance();
        const std::size_t columns = context_.problem.table.size();
        if (std::none_of(candidates, candidates + columns,
                         [](const Candidate& split) { return split.chance.entered; }))
            return -1;
        std::vector<ChanceClaim>& claims = s.claims;
        claims.resize(columns);
        ChanceTarget target;
        if (gain_decides(judge, candidates, node.stats)) {
            for (std::size_t c = 0; c < columns; ++c) {
                claims[c] = {};
                claims[c].entered = candidates[c].chance.entered;
                claims[c].known = true;  // with a p-value of 1
            }
        } else {
            target = judge.target_of(view, candidates);
            for (std::size_t c = 0; c < columns; ++c)
                judge.claim(c, candidates[c].chance, target, claims[c]);
        }
        const auto select = [&] {
            return select_by_chance(
                claims.data(), columns,
                [&](std::size_t c) { return judge.cuts(view, c, candidates[c], s); },
                [&](double statistic) {
                    return log_p_of_one_cut(target, statistic / (target.rows - 1.0));
                },
                [&](std::size_t c, double crossings) {
                    return judge.least(candidates[c].chance, target, crossings);
                },
                [&](std::size_t c, double& crossings) {
                    return judge.exact(view, c, candidates[c], target, s, claims[c].cuts,
                                       crossings);
                });
        };
        // If the limits leave an attribute no split, the next one is tried.
        for (std::int32_t first = select(); first >= 0; first = select()) {
            const double least = claims[static_cast<std::size_t>(first)].log_p;
            std::int32_t best = -1;
            for (auto c = static_cast<std::size_t>(first); c < columns; ++c) {
                ChanceClaim& claim = claims[c];
                if (!claim.entered || !claim.known || less_by_chance(least, claim.log_p)) continue;
                Candidate& split = candidates[c];
                if (split.pending) evaluator_.search(view, node.ranges[c], c, s, split);
                claim.entered = split.valid() && acceptable(node.stats, split.gain);
                if (!claim.entered) continue;
                if (best < 0 || split.gain > candidates[best].gain + tie_of(node.stats))
                    best = static_cast<std::int32_t>(c);
            }
            if (best >= 0) return best;
        }
        return -1;
    }

    // Whether the rows of a node are too few to tell thresholds from chance. Levels are judged all
    // the same: an identifier would gain most.
    bool gain_decides(const ChanceJudge<P>& judge, const Candidate* candidates,
                      const NodeStats& stats) const {
        if (!judge.too_few(stats)) return false;
        return std::none_of(
            candidates, candidates + context_.problem.table.size(),
            [](const Candidate& split) { return split.chance.entered && split.chance.of_levels; });
    }

    // Keeps the splits of the other attributes, the best first.
    void remember(const Candidate* candidates, const Node& node, double baseline,
                  std::vector<BuiltCondition>& competitors) const {
        const std::size_t columns = context_.problem.table.size();
        const auto valid = [](const Candidate& split) { return split.valid(); };
        competitors.reserve(
            static_cast<std::size_t>(std::count_if(candidates, candidates + columns, valid)));
        for (std::size_t c = 0; c < columns; ++c) {
            if (static_cast<std::int32_t>(c) == node.column || !candidates[c].valid()) continue;
            competitors.push_back(evaluator_.describe().of(node, c, candidates[c]));
            if (evaluator_.by_p_value() && candidates[c].test.tested)
                competitors.back().log_p =
                    log_p_value(candidates, context_.problem.table.size(), c, parameters_);
            competitors.back().gain -= baseline;
        }
        std::sort(competitors.begin(), competitors.end(), [](const auto& a, const auto& b) {
            return a.gain != b.gain ? a.gain > b.gain : a.attribute < b.attribute;
        });
    }

    // Whether every leaf below a node has the label of the node. This holds if all rows of other
    // classes, put into one leaf of the least size, would still be fewer than half of it.
    bool one_label(const NodeStats& stats) const {
        // Pieces of rows may weigh almost nothing.
        if (!P::classification || parameters_.small_branches || divides_into_pieces_) return false;
        const double others =
            stats.weight - *std::max_element(stats.sums.begin(), stats.sums.end());
        return 2.0 * others < parameters_.min_samples_leaf - row_slack;
    }

    const Context<P>& context_;
    const GrowParameters& parameters_;
    const Evaluator<P>& evaluator_;
    const bool divides_into_pieces_ =
        context_.parameters.counts_pieces() &&
        (context_.problem.beginning != nullptr ? context_.problem.beginning->divides
                                               : has_missing(context_.problem.table));
};

}  // namespace ramify
