// The best threshold of an attribute whose values are ordered. Invariant: of cuts whose gains tie,
// the lowest is taken, or the best balanced; then missing rows on the left before those on the
// right.
#pragma once

#include <optional>
#include <utility>

#include "evaluate/missing_rules.hpp"
#include "evaluate/workspace.hpp"
#include "splits/numeric.hpp"

namespace ramify {

template <Target P>
class ThresholdSearch {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Cell = typename P::Cell;

    ThresholdSearch(const Context<P>& context, const MissingRules<P>& missing)
        : context_(context), missing_(missing) {}

    // A column in order. `s.known` has been found.
    void in_order(const NodeView<Word>& view, std::size_t c, Workspace<Word>& s,
                  Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        const KnownRows<Word>& known = s.known;
        Contest contest(context_.balances_ties);
        const auto offer = [&](const Walked& walked, std::int32_t missing_to) {
            if (!walked.found ||
                !contest.offer(walked.gain, tie_of(stats), [&] { return walked.balance; }))
                return;
            out.kind = ConditionKind::threshold;
            out.gain = contest.highest();
            out.balance = walked.balance;
            out.boundary = *walked.found;
            out.missing_to = missing_to;
        };
        CutLimits limits;
        const auto limited = [&](WalkTotal total, const double* sums, double weight,
                                 const std::vector<double>* divided = nullptr) {
            if (!context_.branch_limits.asked()) return total;
            limits = context_.limits(*view.node, c).over(sums, weight);
            if (divided != nullptr)
                limits =
                    limits.over(sums, weight, divided->data(), context_.weight_of(divided->data()));
            total.limits = &limits;
            return total;
        };
        if (!known.missing) {
            const WalkTotal total = limited(
                context_.total(known.sums, known.weight, known.support, stats.scale, view.floor),
                known.sums, known.weight);
            offer(walk(total, nullptr, 0.0, s), -1);
            return;
        }
        if (missing_.fractional()) {
            offer(walk(limited(divided_total(view, known), known.sums, known.weight, &known.rest),
                       nullptr, 0.0, s),
                  -1);
            return;
        }
        const WalkTotal all = limited(
            context_.total(stats.sums.data(), stats.weight, stats.support, stats.scale, view.floor),
            stats.sums.data(), stats.weight);
        const double missing_support = stats.support - known.support;
        offer(walk(all, known.rest.data(), missing_support, s), 0);
        offer(walk(all, nullptr, 0.0, s), 1);
        // Known values have no order against missing ones.
        const bool allowed =
            all.limits == nullptr ||
            limits.unordered().allow(known.weight, [&](std::size_t j) { return known.sums[j]; });
        if (allowed && enough_rows(known.support, known.least) &&
            enough_rows(missing_support, known.least)) {
            s.branches.assign(known.sums, known.sums + context_.samples.width());
            s.branches.insert(s.branches.end(), known.rest.begin(), known.rest.end());
            // The same score as for the other thresholds.
            const double gain = context_.criterion.of_thresholds().score(
                {stats.sums.data(), s.branches.data(), 2, context_.samples.width()});
            offer(
                {Boundary{known.segment.size, false}, gain, context_.balance(s.branches.data(), 2)},
                1);
            out.known_only = out.valid() && out.boundary.position == known.segment.size;
        }
    }

    // A coded column, from its cells. Says whether the column is constant at the node.
    bool from_cells(const NodeView<Word>& view, const CodedForm<P>& form, std::size_t c,
                    Workspace<Word>& s, Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        if constexpr (!P::classification && !P::weighted) form.sum_targets(s.target_sums);
        std::size_t present = 0;
        WalkTotal whole =
            context_.total(stats.sums.data(), stats.weight, stats.support, stats.scale, view.floor);
        CutLimits limits;
        if (context_.branch_limits.asked()) {
            limits = context_.limits(*view.node, c).over(stats.sums.data(), stats.weight);
            whole.limits = &limits;
        }
        const auto [cut, gain, balance] = context_.walks.walk_cells(
            whole, context_.samples, s.walk,
            [&](auto& walk) { return form.best_cut(walk, s.target_sums, s.one, present); });
        if (cut) {
            out.kind = ConditionKind::threshold;
            out.gain = gain;
            out.balance = balance;
            out.counted = true;
            out.lower_code = static_cast<std::int32_t>(cut->first);
            out.upper_code = static_cast<std::int32_t>(cut->second);
        }
        return present < 2;
    }

  private:
    using Walked = typename Walks<P>::template Walked<std::optional<Boundary>>;

    // What a walk over the known rows starts from, where the others are divided.
    WalkTotal divided_total(const NodeView<Word>& view, const KnownRows<Word>& known) const {
        const NodeStats& stats = view.node->stats;
        WalkTotal scored =
            missing_.combines(known)
                ? context_.total(stats.sums.data(), stats.weight, known.support, stats.scale)
                : context_.total(known.sums, known.weight, known.support,
                                 context_.scale_of(known.sums, context_.impurity(known.sums)));
        if (missing_.combines(known)) scored.divided = known.rest.data();
        scored.floor = view.floor / missing_.counting_share(stats, known);
        scored.min_leaf = known.least;
        return scored;
    }
    // `preload`: the sums of rows that are on the left of every cut.
    Walked walk(const WalkTotal& total, const double* preload, double preload_support,
                Workspace<Word>& s) const {
        return context_.walks.walk(total, context_.samples, s.walk, [&](auto& walk) {
            if (preload != nullptr) walk.add_block(preload, preload_support);
            return best_threshold<Layout>(s.known.segment, walk);
        });
    }

    const Context<P>& context_;
    const MissingRules<P>& missing_;
};

}  // namespace ramify
