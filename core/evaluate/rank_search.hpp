// Splits by a criterion of ranks, such as the absolute error: quantiles do not add up, so every cut
// asks a Fenwick tree over the ranks of the targets. Invariant: the loss of a split is the least
// that one answer per branch can have.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "criteria/contest.hpp"
#include "evaluate/level_search.hpp"
#include "splits/quantile_sums.hpp"

namespace ramify {

template <Target P>
class RankSearch {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    RankSearch(const Context<P>& context, const MissingRules<P>& missing)
        : context_(context), missing_(missing), rule_(context.criterion.rank_loss()) {}

    // Ranks the targets of a node.
    void prepare(NodeView<Word>& view, std::vector<std::uint32_t>& ranks) const {
        const LargeVector<double>& target = context_.samples.target;
        const std::span<const Word> entries = context_.cells.rows(*view.node);
        std::vector<std::uint32_t> order(entries.size());
        for (std::size_t i = 0; i < entries.size(); ++i) order[i] = Layout::row(entries[i]);
        std::size_t compared = 0;
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (++compared % 65536 == 0) context_.interrupt.poll();
            return target[a] < target[b] || (target[a] == target[b] && a < b);
        });
        view.sorted_targets.resize(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            view.sorted_targets[i] = target[order[i]];
            ranks[order[i]] = static_cast<std::uint32_t>(i);
        }
        QuantileSums sums(view.sorted_targets, rule_, view.vague);
        for (const Word entry : entries) add(entry, sums);
        view.loss = sums.loss();
    }

    void find_threshold(const NodeView<Word>& view, Workspace<Word>& s, Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        const KnownRows<Word>& known = s.known;
        const Holes holes = holes_of(view, known);
        Contest contest(context_.balances_ties);
        const auto offer = [&](const Cut& cut, std::int32_t missing_to) {
            if (cut.position == 0) return;
            const double gain = gain_of(view, known, cut.loss);
            if (!contest.offer(gain, tie_of(stats), [&] { return cut.balance; })) return;
            out.kind = ConditionKind::threshold;
            out.gain = contest.highest();
            out.balance = cut.balance;
            out.boundary = Boundary{cut.position, false};
            out.missing_to = missing_to;
        };
        const Segment<Word>& segment = known.segment;
        const auto cut = [&](std::int32_t missing_to) {
            offer(best_cut(view, segment.entries, segment.size, holes, missing_to, s), missing_to);
        };
        if (holes.entries.empty()) {
            cut(-1);
            return;
        }
        const auto tried = [&](MissingSide side) {
            return view.missing_side == MissingSide::any || view.missing_side == side;
        };
        if (tried(MissingSide::left)) cut(0);
        if (tried(MissingSide::right)) cut(1);
        if (!tried(MissingSide::apart)) return;
        const double apart = loss_apart(view, known, holes);
        if (std::isinf(apart)) return;
        offer({segment.size, apart, balance_apart(view, known)}, 1);
        out.known_only = out.valid() && out.boundary.position == segment.size;
    }

    // Orders the levels by their quantiles and cuts them like a column of numbers. This is a
    // heuristic: the best division need not be a cut of any order.
    void find_levels(const NodeView<Word>& view, const OrderedForm<P>& form, Workspace<Word>& s,
                     Candidate& out) const {
        const KnownRows<Word>& known = s.known;
        const Holes holes = holes_of(view, known);
        const bool missing_level = missing_.separate() && !holes.entries.empty();
        const Groups groups = groups_of(form, known, holes);
        const std::size_t levels = groups.size();
        const auto large_enough = [&](const std::vector<Word>& group) {
            double support = 0.0;
            double weight = 0.0;
            for (const Word entry : group) {
                support += P::support(context_.samples, entry);
                weight += P::weight(context_.samples, entry);
            }
            return enough_rows(support, known.least) && weight >= least_known_weight(view, known);
        };
        Groups branches;
        if (!context_.parameters.multiway) {
            branches = divide_by_quantiles(view, groups, holes, s, out);
        } else if (levels > 1 && std::all_of(groups.begin(), groups.end(), large_enough)) {
            out.kind = ConditionKind::multiway;
            out.branches = levels;
            out.branch_of_level.resize(levels);
            std::iota(out.branch_of_level.begin(), out.branch_of_level.end(), 0);
            branches = groups;
        }
        const bool direction = missing_.direction() && !holes.entries.empty();
        if (!branches.empty()) settle(view, branches, holes, direction, missing_level, s, out);
        if (!direction) return;
        const double apart = loss_apart(view, known, holes);
        if (std::isinf(apart)) return;
        const double gain = gain_of(view, known, apart);
        const double balance = balance_apart(view, known);
        if (out.valid()) {
            Contest contest(context_.balances_ties);
            contest.offer(out.gain, tie_of(view.node->stats), [&] { return out.balance; });
            if (!contest.offer(gain, tie_of(view.node->stats), [&] { return balance; })) return;
        }
        out.gain = gain;
        out.balance = balance;
        LevelSearch<P>::keep_apart(levels, out);
    }

    // The levels, and rows without a value if they are one, in the order in which they are cut.
    std::vector<std::size_t> order_of_levels(const NodeView<Word>& view, const OrderedForm<P>& form,
                                             const KnownRows<Word>& known) const {
        return order_of(view, groups_of(form, known, holes_of(view, known)));
    }

    // The gain of given branches. Rows without a value go where they gain most, unless they are
    // divided.
    void weigh(const NodeView<Word>& view, const std::vector<std::vector<Word>>& branches,
               Workspace<Word>& s, Candidate& out) const {
        const Holes holes = holes_of(view, s.known);
        settle(view, branches, holes, !holes.entries.empty(), false, s, out);
    }

  private:
    using Groups = std::vector<std::vector<Word>>;

    // The rows without a value, all on one side of a cut or divided.
    struct Holes {
        std::vector<Word> entries;
        std::optional<QuantileSums> divided;  // then each side has them in proportion to its weight
        double known_weight = 0.0;

        double loss(const QuantileSums& known) const {
            if (!divided) return known.loss();
            return known.loss_with(*divided, known.total_weight() / known_weight);
        }
    };

    // A cut of a sequence. Position 0: there is none.
    struct Cut {
        std::size_t position = 0;
        double loss = std::numeric_limits<double>::infinity();
        double balance = 0.0;
    };

    Groups groups_of(const OrderedForm<P>& form, const KnownRows<Word>& known,
                     const Holes& holes) const {
        Groups groups;
        const Word* entries = known.segment.entries;
        form.for_each_value([&](std::size_t begin, std::size_t end, bool) {
            groups.emplace_back(entries + begin, entries + end);
        });
        if (missing_.separate() && !holes.entries.empty()) groups.push_back(holes.entries);
        return groups;
    }

    // The balance of all known rows against all others.
    double balance_apart(const NodeView<Word>& view, const KnownRows<Word>& known) const {
        const double both[] = {known.weight, view.node->stats.weight - known.weight};
        return balance_of(2, [&](std::size_t b) { return both[b]; });
    }
    double weight_of(std::span<const Word> entries) const {
        double weight = 0.0;
        for (const Word entry : entries) weight += P::weight(context_.samples, entry);
        return weight;
    }

    std::uint32_t rank(Word entry) const { return (*context_.ranks)[Layout::row(entry)]; }
    void add(Word entry, QuantileSums& sums) const {
        sums.add(rank(entry), P::weight(context_.samples, entry));
    }
    double loss_of(const NodeView<Word>& view, std::span<const Word> entries,
                   const Holes& with = {}) const {
        if (entries.empty()) return 0.0;
        QuantileSums sums(view.sorted_targets, rule_, view.vague);
        std::size_t added = 0;
        for (const Word entry : entries) {
            if (++added % 4096 == 0) context_.interrupt.poll();
            add(entry, sums);
        }
        return with.loss(sums);
    }
    static std::span<const Word> known_entries(const KnownRows<Word>& known) {
        return {known.segment.entries, known.segment.size};
    }

    Holes holes_of(const NodeView<Word>& view, const KnownRows<Word>& known) const {
        Holes holes;
        // A split that is scored on the known rows alone does not need the others.
        if (!known.missing || missing_.scores_known(known)) return holes;
        std::vector<bool> has(view.sorted_targets.size(), false);
        for (const Word entry : known_entries(known)) has[rank(entry)] = true;
        for (const Word entry : context_.cells.rows(*view.node)) {
            if (!has[rank(entry)]) holes.entries.push_back(entry);
        }
        if (!missing_.combines(known)) return holes;
        holes.divided.emplace(view.sorted_targets, rule_, view.vague);
        for (const Word entry : holes.entries) add(entry, *holes.divided);
        holes.known_weight = known.weight;
        holes.entries.clear();
        return holes;
    }

    // The weight of known rows that a branch needs. Divided rows add to it in proportion.
    double least_known_weight(const NodeView<Word>& view, const KnownRows<Word>& known) const {
        const double least = context_.branch_limits.least_weight();
        const bool spread = known.missing && missing_.fractional();
        return spread ? least * known.weight / view.node->stats.weight : least;
    }
    // The gain of a split whose branches lose `loss` together.
    double gain_of(const NodeView<Word>& view, const KnownRows<Word>& known, double loss) const {
        const bool on_known = missing_.scores_known(known);
        const double before = on_known ? loss_of(view, known_entries(known)) : view.loss;
        const double weight = on_known ? known.weight : view.node->stats.weight;
        return std::max(0.0, (before - loss) / weight);
    }

    // The cut of a sequence that leaves the least loss.
    Cut best_cut(const NodeView<Word>& view, const Word* entries, std::size_t size,
                 const Holes& holes, std::int32_t missing_to, Workspace<Word>& s) const {
        QuantileSums sums(view.sorted_targets, rule_, view.vague);
        std::size_t added = 0;
        double weight = 0.0;
        const auto put = [&](Word entry) {
            if (++added % 4096 == 0) context_.interrupt.poll();
            add(entry, sums);
            weight += P::weight(context_.samples, entry);
            return P::support(context_.samples, entry);
        };
        const double least = s.known.least;
        const double least_weight = least_known_weight(view, s.known);
        const double never = std::numeric_limits<double>::infinity();
        std::vector<double>& losses = s.losses;
        losses.assign(size, never);
        double support = 0.0;
        if (missing_to == 0) {
            for (const Word entry : holes.entries) support += put(entry);
        }
        for (std::size_t i = 0; i < size; ++i) {
            if (i > 0 && Layout::fresh(entries[i]) && enough_rows(support, least) &&
                weight >= least_weight)
                losses[i] = holes.loss(sums);
            support += put(entries[i]);
        }
        sums.clear();
        support = weight = 0.0;
        if (missing_to == 1) {
            for (const Word entry : holes.entries) support += put(entry);
        }
        for (std::size_t i = size; i-- > 1;) {
            support += put(entries[i]);
            if (losses[i] != never)
                losses[i] += enough_rows(support, least) && weight >= least_weight
                                 ? holes.loss(sums)
                                 : never;
        }
        const double on_left = missing_to == 0 ? weight_of(holes.entries) : 0.0;
        const double all =
            weight_of({entries, size}) + (missing_to < 0 ? 0.0 : weight_of(holes.entries));
        double left = on_left;
        Contest contest(context_.balances_ties);
        Cut best;
        for (std::size_t i = 1; i < size; ++i) {
            left += P::weight(context_.samples, entries[i - 1]);
            if (contest.offer(-losses[i], tie_tolerance * view.loss,
                              [&] { return std::min(left, all - left) / all; }))
                best.position = i;
        }
        best.loss = -contest.highest();
        best.balance = contest.balance();
        return best;
    }

    // The loss of all known rows against all others; infinite if one side has too few rows.
    double loss_apart(const NodeView<Word>& view, const KnownRows<Word>& known,
                      const Holes& holes) const {
        const double least = context_.branch_limits.least_weight();
        if (!enough_rows(known.support, known.least) ||
            !enough_rows(view.node->stats.support - known.support, known.least) ||
            known.weight < least || view.node->stats.weight - known.weight < least)
            return std::numeric_limits<double>::infinity();
        return loss_of(view, holes.entries) + loss_of(view, known_entries(known));
    }

    // The gain of the branches, with the rows without a value where they lose least.
    void settle(const NodeView<Word>& view, const Groups& branches, const Holes& holes,
                bool direction, bool missing_level, Workspace<Word>& s, Candidate& out) const {
        double loss = 0.0;
        std::vector<double> own(branches.size());
        for (std::size_t b = 0; b < branches.size(); ++b)
            loss += own[b] = loss_of(view, branches[b], holes);
        double best = loss;
        std::vector<double> weight(branches.size());
        for (std::size_t b = 0; b < branches.size(); ++b) weight[b] = weight_of(branches[b]);
        const auto balance = [&] {
            return balance_of(weight.size(), [&](std::size_t b) { return weight[b]; });
        };
        out.balance = balance();
        if (direction) {
            const double missing = weight_of(holes.entries);
            Contest contest(context_.balances_ties);
            for (std::size_t b = 0; b < branches.size(); ++b) {
                std::vector<Word> with = branches[b];
                with.insert(with.end(), holes.entries.begin(), holes.entries.end());
                const double total = loss - own[b] + loss_of(view, with);
                weight[b] += missing;
                if (contest.offer(-total, tie_tolerance * view.loss, balance))
                    out.missing_to = static_cast<std::int32_t>(b);
                weight[b] -= missing;
            }
            best = -contest.highest();
            out.balance = contest.balance();
        }
        out.gain = gain_of(view, s.known, best);
        if (missing_level) {
            out.missing_to = out.branch_of_level.back();
            out.branch_of_level.pop_back();
        }
    }

    double lower_quantile(const NodeView<Word>& view, const std::vector<Word>& group) const {
        std::vector<std::pair<std::uint32_t, double>> ranked;
        double total = 0.0;
        for (const Word entry : group) {
            ranked.emplace_back(rank(entry), P::weight(context_.samples, entry));
            total += ranked.back().second;
        }
        std::sort(ranked.begin(), ranked.end());
        // Sums of weights are rounded.
        const double needed = (rule_.quantile - row_slack) * total;
        std::size_t at = 0;
        for (double sum = ranked[0].second; sum < needed && at + 1 < ranked.size();
             sum += ranked[at].second)
            ++at;
        if (!view.vague.empty() && view.vague[ranked[at].first] != 0)
            throw std::logic_error("the quantile of a level lies among targets that were not read");
        return view.sorted_targets[ranked[at].first];
    }

    // The groups in the order of their quantiles.
    std::vector<std::size_t> order_of(const NodeView<Word>& view, const Groups& groups) const {
        std::vector<std::pair<double, std::size_t>> by_quantile;
        for (std::size_t g = 0; g < groups.size(); ++g)
            by_quantile.emplace_back(lower_quantile(view, groups[g]), g);
        std::sort(by_quantile.begin(), by_quantile.end());
        std::vector<std::size_t> order;
        for (const auto& [quantile, g] : by_quantile) order.push_back(g);
        return order;
    }

    // The branches of the best cut of the levels in the order of their quantiles. Empty: there is
    // no cut.
    Groups divide_by_quantiles(const NodeView<Word>& view, const Groups& groups, const Holes& holes,
                               Workspace<Word>& s, Candidate& out) const {
        const std::size_t levels = groups.size();
        const std::vector<std::size_t> order = order_of(view, groups);
        s.reordered.clear();
        for (const std::size_t g : order) {
            Word fresh = Layout::fresh_bit;
            for (const Word entry : groups[g]) {
                s.reordered.push_back((entry & static_cast<Word>(~Layout::fresh_bit)) | fresh);
                fresh = Word{0};
            }
        }
        const Cut cut = best_cut(view, s.reordered.data(), s.reordered.size(), holes, -1, s);
        if (cut.position == 0) return {};
        out.kind = ConditionKind::subset;
        out.branches = 2;
        out.branch_of_level.assign(levels, 1);
        std::size_t taken = 0;
        for (const std::size_t g : order) {
            if (taken >= cut.position) break;
            out.branch_of_level[g] = 0;
            taken += groups[g].size();
        }
        if (out.branch_of_level[0] != 0) {
            for (auto& branch : out.branch_of_level) branch = 1 - branch;
        }
        Groups branches(2);
        for (std::size_t g = 0; g < levels; ++g) {
            auto& branch = branches[static_cast<std::size_t>(out.branch_of_level[g])];
            branch.insert(branch.end(), groups[g].begin(), groups[g].end());
        }
        return branches;
    }

    const Context<P>& context_;
    const MissingRules<P>& missing_;
    const RankLoss rule_;
};

}  // namespace ramify
