// Divisions of levels under constraints. A division that was found without them is checked; if it
// does not hold, the levels are put in the order of a constrained value and the best cut of that
// order that holds is taken. Without bounds such cuts are optimal for two classes and for numbers
// (Fisher 1958; Breiman et al. 1984, section 4.2.2); with bounds this is a heuristic. Invariant:
// what is found holds for the branches as they will be, with the rows that lack a value in them.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "evaluate/missing_rules.hpp"
#include "evaluate/workspace.hpp"

namespace ramify {

template <Target P>
class LimitedLevels {
  public:
    using Word = typename P::Word;

    LimitedLevels(const Context<P>& context, const MissingRules<P>& missing)
        : context_(context), missing_(missing) {}

    // Whether a division holds. `combined`: the sums of the levels include the rows without a
    // value.
    bool hold(const NodeView<Word>& view, std::size_t c, bool combined, const Workspace<Word>& s,
              const Candidate& out) const {
        const std::size_t width = context_.samples.width();
        std::vector<double> branches(out.branches * width, 0.0);
        for (std::size_t l = 0; l < out.branch_of_level.size(); ++l)
            add(s.levels.sums.data() + l * width,
                branches.data() + static_cast<std::size_t>(out.branch_of_level[l]) * width);
        if (s.known.missing && !combined) {
            if (out.missing_to >= 0) {
                add(s.known.rest.data(),
                    branches.data() + static_cast<std::size_t>(out.missing_to) * width);
            } else {
                missing_.divide_rest(branches.data(), out.branches, s.known);
            }
        }
        return all_within(context_.limits(*view.node, c), branches);
    }
    // Whether the known rows can be a branch against the others.
    bool hold_apart(const NodeView<Word>& view, std::size_t c, const Workspace<Word>& s) const {
        std::vector<double> branches(s.known.sums, s.known.sums + context_.samples.width());
        branches.insert(branches.end(), s.known.rest.begin(), s.known.rest.end());
        return all_within(context_.limits(*view.node, c), branches);
    }

    // The best cut of an order that holds. `sums`: those that splits are scored by.
    void scan(const NodeView<Word>& view, std::size_t c, const double* sums, bool missing_level,
              bool combined, Workspace<Word>& s, Candidate& out) const {
        out.reset();
        // A score that adds up pairs of levels does not follow from the sums of the two sides.
        if (!context_.criterion.sums_suffice()) return;
        Scan scan{view, c, sums, missing_level, combined, Contest(context_.balances_ties)};
        for (const std::size_t place : places(sums)) scan_order(scan, place, s, out);
        if (!out.valid()) return;
        if (out.branch_of_level[0] != 0) {
            for (auto& branch : out.branch_of_level) branch = 1 - branch;
            if (out.missing_to >= 0) out.missing_to = 1 - out.missing_to;
        }
        if (missing_level) {
            out.missing_to = out.branch_of_level.back();
            out.branch_of_level.pop_back();
        }
    }

  private:
    struct Scan {
        const NodeView<Word>& view;
        std::size_t c;
        const double* sums;
        bool missing_level, combined;
        Contest contest;
    };

    void add(const double* from, double* to) const {
        for (std::size_t j = 0; j < context_.samples.width(); ++j) to[j] += from[j];
    }
    bool all_within(const CutLimits& limits, const std::vector<double>& branches) const {
        const std::size_t width = context_.samples.width();
        for (std::size_t at = 0; at < branches.size(); at += width) {
            const double weight = context_.weight_of(branches.data() + at);
            if (!(weight > 0.0) || weight < limits.least_weight) return false;
            for (std::size_t o = 0; o < limits.outputs.size(); ++o) {
                const double sum = branches[at + limits.outputs[o]];
                if (!limits.within(o, sum / weight + limits.centre)) return false;
            }
        }
        return true;
    }
    // The values that levels are ordered by: the constrained ones, or that of the largest class.
    std::vector<std::size_t> places(const double* sums) const {
        const auto outputs = context_.branch_limits.outputs();
        if (!outputs.empty()) return {outputs.begin(), outputs.end()};
        if constexpr (!P::classification) return {1};
        const double* end = sums + context_.samples.classes;
        return {static_cast<std::size_t>(std::max_element(sums, end) - sums)};
    }

    void scan_order(Scan& scan, std::size_t place, Workspace<Word>& s, Candidate& out) const {
        const std::size_t width = context_.samples.width();
        const std::size_t levels = s.levels.size();
        std::vector<double> value(levels);
        for (std::size_t l = 0; l < levels; ++l) {
            const double* of_level = s.levels.sums.data() + l * width;
            value[l] = of_level[place] / context_.weight_of(of_level);
        }
        std::vector<std::size_t> order(levels);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return value[a] < value[b]; });
        const double all = std::accumulate(s.levels.support.begin(), s.levels.support.end(), 0.0);
        double support = 0.0;
        std::vector<double> sides(2 * width, 0.0);
        for (std::size_t l = 0; l < levels; ++l)
            add(s.levels.sums.data() + l * width, sides.data() + width);
        std::vector<std::int32_t> branch(levels, 1);
        for (std::size_t i = 0; i + 1 < levels; ++i) {
            if (i % 1024 == 1023) context_.interrupt.poll();
            const double* moved = s.levels.sums.data() + order[i] * width;
            add(moved, sides.data());
            for (std::size_t j = 0; j < width; ++j) sides[width + j] -= moved[j];
            support += s.levels.support[order[i]];
            branch[order[i]] = 0;
            if (enough_rows(support, s.known.least) && enough_rows(all - support, s.known.least))
                try_cut(scan, sides, branch, s, out);
        }
    }

    // A cut with the rows that lack a value on either side, if they take one.
    void try_cut(Scan& scan, const std::vector<double>& sides,
                 const std::vector<std::int32_t>& branch, Workspace<Word>& s,
                 Candidate& out) const {
        const NodeStats& stats = scan.view.node->stats;
        const bool placed = s.known.missing && missing_.direction();
        for (std::int32_t to = placed ? 0 : -1; to < (placed ? 2 : 0); ++to) {
            std::vector<double> scored = sides;
            if (placed)
                add(s.known.rest.data(),
                    scored.data() + static_cast<std::size_t>(to) * context_.samples.width());
            const double gain =
                context_.score(placed ? stats.sums.data() : scan.sums, scored.data(), 2);
            if (!scan.contest.wins(gain, tie_of(stats),
                                   [&] { return context_.balance(sides.data(), 2); }))
                continue;
            const bool spread = s.known.missing && missing_.fractional() && !scan.combined;
            if (spread) missing_.divide_rest(scored.data(), 2, s.known);
            if (!all_within(context_.limits(*scan.view.node, scan.c), scored)) continue;
            out.kind = ConditionKind::subset;
            scan.contest.accept();
            out.gain = scan.contest.highest();
            out.balance = scan.contest.balance();
            out.branches = 2;
            out.branch_of_level = branch;
            out.missing_to = to;
        }
    }

    const Context<P>& context_;
    const MissingRules<P>& missing_;
};

}  // namespace ramify
