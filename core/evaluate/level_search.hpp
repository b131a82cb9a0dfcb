// The best division of the levels of an attribute: in two by a search, or a branch for each level
// or group of levels. Invariant: it reads the table of levels and the sums of the rows without a
// value, nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "evaluate/limited_levels.hpp"
#include "evaluate/missing_rules.hpp"
#include "evaluate/split_tests.hpp"
#include "evaluate/workspace.hpp"
#include "splits/nominal/means.hpp"
#include "splits/nominal/search.hpp"
#include "support/sums.hpp"

namespace ramify {

template <Target P>
class LevelSearch {
  public:
    using Word = typename P::Word;

    LevelSearch(const Context<P>& context, const MissingRules<P>& missing,
                const SplitTests<P>& tests)
        : context_(context), missing_(missing), tests_(tests), limited_(context, missing) {}

    // From the sums of the levels in `s.levels`, which may get one more for missing cells.
    void find(const NodeView<Word>& view, std::size_t c, Workspace<Word>& s, Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        const KnownRows<Word>& known = s.known;
        const bool missing_level = known.missing && missing_.separate();
        const bool limits = context_.branch_limits.asked();
        if (missing_level) {
            s.levels.sums.insert(s.levels.sums.end(), known.rest.begin(), known.rest.end());
            s.levels.support.push_back(stats.support - known.support);
        }
        const std::size_t levels = s.levels.size();
        const bool whole = missing_level || missing_.combines(known);
        const double* sums = whole ? stats.sums.data() : known.sums;
        if (context_.parameters.multiway) {
            if (levels > 1) multiway(view, sums, missing_level, c, s, out);
            if (limits && out.valid() && !limited_.hold(view, c, false, s, out)) out.reset();
        } else {
            // Rows with holes that are divided among the levels are thereby divided among the two
            // sides.
            if (missing_.combines(known)) missing_.divide_rest(s.levels.sums.data(), levels, known);
            if (out_of_reach(view, sums, s)) return;
            if (levels > 1 && limits) {
                find_limited(view, c, sums, missing_level, s, out);
            } else if (levels > 1) {
                binary(view, sums, missing_level, {s.levels.support.data(), known.least}, s, out);
            }
        }
        // Where levels are merged, only tests separate rows.
        if (known.missing && missing_.direction() && !context_.parameters.merges() &&
            (!limits || limited_.hold_apart(view, c, s)))
            set_missing_apart(view, levels, s, out);
    }

    // All levels in one branch, the rows without a value in the other.
    static void keep_apart(std::size_t levels, Candidate& out) {
        out.kind = ConditionKind::subset;
        out.branches = 2;
        out.branch_of_level.assign(levels, 0);
        out.missing_to = 1;
    }

  private:
    // What both sides of a division need: so much of an amount that every level has.
    struct Least {
        const double* of_level;
        double least;
    };

    // The search itself keeps to a least number of rows, or to a least weight. Where both are asked
    // for, what keeps to one and holds the other is the best that it can find; else an order of the
    // levels is cut.
    void find_limited(const NodeView<Word>& view, std::size_t c, const double* sums,
                      bool missing_level, Workspace<Word>& s, Candidate& out) const {
        const bool combined = missing_.combines(s.known);
        const Least rows{s.levels.support.data(), s.known.least};
        const auto try_with = [&](const Least& least) {
            out.reset();
            binary(view, sums, missing_level, least, s, out);
            return out.valid() && enough(s, rows, out) && limited_.hold(view, c, combined, s, out);
        };
        const double weight = least_weight(view, combined, s.known);
        std::vector<double> weights;
        if (weight > 0.0) {
            for (std::size_t l = 0; l < s.levels.size(); ++l)
                weights.push_back(
                    context_.weight_of(s.levels.sums.data() + l * context_.samples.width()));
        }
        const bool rows_bind =
            std::any_of(s.levels.support.begin(), s.levels.support.end(),
                        [&](double support) { return !enough_rows(support, s.known.least); });
        // Missing cells that take a side may make up for what it lacks.
        const bool weight_first =
            !weights.empty() && !rows_bind && !(s.known.missing && missing_.direction());
        if (weight_first && try_with({weights.data(), weight})) return;
        if (try_with(rows)) return;
        if (!weights.empty() && !weight_first && try_with({weights.data(), weight})) return;
        limited_.scan(view, c, sums, missing_level, combined, s, out);
    }
    // The weight that a side of the levels needs. Divided rows add to it in proportion.
    double least_weight(const NodeView<Word>& view, bool combined,
                        const KnownRows<Word>& known) const {
        const double least = context_.branch_limits.least_weight();
        const bool spread = known.missing && missing_.fractional() && !combined;
        return spread ? least * known.weight / view.node->stats.weight : least;
    }
    bool enough(const Workspace<Word>& s, const Least& rows, const Candidate& out) const {
        double sides[2] = {0.0, 0.0};
        for (std::size_t l = 0; l < out.branch_of_level.size(); ++l)
            sides[out.branch_of_level[l]] += rows.of_level[l];
        // The level of the missing cells is no longer among those of the division.
        if (out.branch_of_level.size() < s.levels.size())
            sides[out.missing_to] += rows.of_level[s.levels.size() - 1];
        return enough_rows(sides[0], rows.least) && enough_rows(sides[1], rows.least);
    }

    void binary(const NodeView<Word>& view, const double* sums, bool missing_level,
                const Least& needed, Workspace<Word>& s, Candidate& out) const {
        const FoundSplit split = divide(view, sums, needed, s);
        if (!split) return;
        out.kind = ConditionKind::subset;
        out.gain = split->score;
        out.branches = 2;
        out.branch_of_level.assign(split->right.begin(), split->right.end());
        if (context_.balances_ties) {
            sum_branches(out, s.levels.size(), s);
            out.balance = context_.balance(s.branches.data(), 2);
        }
        send_missing(view, missing_level, s, out);
    }

    FoundSplit divide(const NodeView<Word>& view, const double* sums, const Least& needed,
                      Workspace<Word>& s) const {
        const std::size_t levels = s.levels.size();
        const double* sums_of = s.levels.sums.data();
        const double* support = needed.of_level;
        const double least = needed.least;
        if constexpr (P::classification) {
            const std::size_t width = context_.samples.width();
            s.test_weights.resize(levels);
            for (std::size_t i = 0; i < levels; ++i)
                s.test_weights[i] = sum_of(sums_of + i * width, width);
            const Contingency table{levels,
                                    width,
                                    sums_of,
                                    support,
                                    s.test_weights.data(),
                                    sums,
                                    least,
                                    &context_.interrupt,
                                    context_.balances_ties};
            return context_.problem.nominal->split(table, context_.criterion);
        } else {
            const Criterion& criterion = context_.criterion;
            const double scale = view.node->stats.scale;
            return context_.parameters.exact_levels
                       ? split_means_exactly(levels, sums_of, support, least, criterion, scale,
                                             context_.interrupt)
                       : split_by_means(levels, sums_of, support, least, criterion, scale);
        }
    }

    void multiway(const NodeView<Word>& view, const double* sums, bool missing_level, std::size_t c,
                  Workspace<Word>& s, Candidate& out) const {
        const std::size_t levels = s.levels.size();
        if (context_.parameters.merges()) {
            tests_.merge(view, missing_level, c, s, out);
        } else {
            out.branches = levels;
            out.branch_of_level.resize(levels);
            std::iota(out.branch_of_level.begin(), out.branch_of_level.end(), 0);
        }
        sum_branches(out, levels, s);
        std::vector<double> support(out.branches, 0.0);
        for (std::size_t l = 0; l < levels; ++l)
            support[static_cast<std::size_t>(out.branch_of_level[l])] += s.levels.support[l];
        if (missing_.combines(s.known))
            missing_.divide_rest(s.branches.data(), out.branches, s.known);
        const auto large = std::count_if(support.begin(), support.end(), [&](double rows) {
            return enough_rows(rows, s.known.least);
        });
        const std::size_t needed = context_.parameters.small_branches ? 2 : out.branches;
        if (out.branches < 2 || static_cast<std::size_t>(large) < needed) return;
        out.kind = ConditionKind::multiway;
        out.gain = context_.score(sums, s.branches.data(), out.branches);
        out.balance = context_.balance(s.branches.data(), out.branches);
        send_missing(view, missing_level, s, out);
    }

    void sum_branches(const Candidate& out, std::size_t levels, Workspace<Word>& s) const {
        const std::size_t width = context_.samples.width();
        s.branches.assign(out.branches * width, 0.0);
        for (std::size_t l = 0; l < levels; ++l) {
            double* to =
                s.branches.data() + static_cast<std::size_t>(out.branch_of_level[l]) * width;
            for (std::size_t j = 0; j < width; ++j) to[j] += s.levels.sums[l * width + j];
        }
    }

    void send_missing(const NodeView<Word>& view, bool missing_level, Workspace<Word>& s,
                      Candidate& out) const {
        if (missing_level) {
            out.missing_to = out.branch_of_level.back();
            out.branch_of_level.pop_back();
        } else if (s.known.missing && missing_.direction()) {
            place_missing(view, s, out);
        }
    }

    // Whether no division of the levels can reach the gain of another column. Where the impurity is
    // concave, no division gains more than a branch for every level. This is asked only where rows
    // are counted: with targets or weights of very different sizes, rounding would make the two
    // gains differ.
    bool out_of_reach(const NodeView<Word>& view, const double* sums, Workspace<Word>& s) const {
        if constexpr (!P::classification) return false;
        if (!std::isfinite(view.floor) || (P::weighted && !context_.samples.equal_weights))
            return false;
        const Criterion& criterion = context_.criterion;
        if (!criterion.drop_of_impurity() || !criterion.separable(context_.samples.classes))
            return false;
        const NodeStats& stats = view.node->stats;
        const std::size_t levels = s.levels.size();
        // At almost pure nodes, the rounding of entropies exceeds the tolerance of ties.
        constexpr double rounding = 1e-13;
        std::vector<double>& table = s.levels.sums;
        if (s.known.missing && missing_.direction()) {
            // The missing rows can at best be a branch of their own, too.
            const std::size_t size = table.size();
            table.insert(table.end(), s.known.rest.begin(), s.known.rest.end());
            const double most = context_.score(stats.sums.data(), table.data(), levels + 1);
            table.resize(size);
            return most + rounding <= view.floor;
        }
        return missing_.counting_share(stats, s.known) *
                       context_.score(sums, table.data(), levels) +
                   rounding <=
               view.floor;
    }

    // Sends all missing rows to the branch where the split scores best with them.
    void place_missing(const NodeView<Word>& view, Workspace<Word>& s, Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        const std::size_t width = context_.samples.width();
        sum_branches(out, s.levels.size(), s);
        // With very many branches only the heaviest is tried, because each score takes time in
        // proportion to their number.
        constexpr std::size_t most_branches = 256;
        const auto sums_of = [&](std::size_t b) { return s.branches.data() + b * width; };
        std::size_t heaviest = 0;
        for (std::size_t b = 1; b < out.branches; ++b) {
            if (context_.weight_of(sums_of(b)) > context_.weight_of(sums_of(heaviest)))
                heaviest = b;
        }
        Contest contest(context_.balances_ties);
        for (std::size_t b = 0; b < out.branches; ++b) {
            if (out.branches > most_branches && b != heaviest) continue;
            double* branch = sums_of(b);
            s.one.assign(branch, branch + width);
            for (std::size_t j = 0; j < width; ++j) branch[j] += s.known.rest[j];
            const double gain = context_.score(stats.sums.data(), s.branches.data(), out.branches);
            if (contest.offer(gain, tie_of(stats),
                              [&] { return context_.balance(s.branches.data(), out.branches); }))
                out.missing_to = static_cast<std::int32_t>(b);
            std::copy(s.one.begin(), s.one.end(), branch);
        }
        out.balance = contest.balance();
        // A score that adds up pairs of levels does not follow from the sums of the two sides. It
        // stays as found on the known rows.
        if (context_.criterion.sums_suffice()) out.gain = contest.highest();
    }

    // Tries all known values against the missing ones, if that is better than what was found.
    void set_missing_apart(const NodeView<Word>& view, std::size_t levels, Workspace<Word>& s,
                           Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        const KnownRows<Word>& known = s.known;
        if (!enough_rows(known.support, known.least) ||
            !enough_rows(stats.support - known.support, known.least))
            return;
        s.branches.assign(known.sums, known.sums + context_.samples.width());
        s.branches.insert(s.branches.end(), known.rest.begin(), known.rest.end());
        const double gain = context_.score(stats.sums.data(), s.branches.data(), 2);
        const double balance = context_.balance(s.branches.data(), 2);
        if (out.valid()) {
            Contest contest(context_.balances_ties);
            contest.offer(out.gain, tie_of(stats), [&] { return out.balance; });
            if (!contest.offer(gain, tie_of(stats), [&] { return balance; })) return;
        }
        out.gain = gain;
        out.balance = balance;
        keep_apart(levels, out);
    }

    const Context<P>& context_;
    const MissingRules<P>& missing_;
    const SplitTests<P>& tests_;
    LimitedLevels<P> limited_;
};

}  // namespace ramify
