// Which of the cuts of a node of a small subtree is least likely by chance: what SplitChoice does
// for an open node, for columns without holes. Invariant: both choose the same cut.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grow/choice.hpp"
#include "grow/small_node.hpp"
#include "grow/small_rows.hpp"

namespace ramify {

template <Target P>
class ShortChance {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;

    ShortChance(const Context<P>& context, const SplitChoice<P>& choice, const SmallRows<P>& rows)
        : context_(context), choice_(choice), judge_(choice.judge()), rows_(rows) {}

    bool asked() const { return judge_.asked(); }
    // Whether chance decides at a node. All splits of very few rows are as likely.
    bool decides(const NodeStats& stats) const { return asked() && !judge_.too_few(stats); }

    // Of the best cuts of the columns, in their order. None: no cut is acceptable.
    std::optional<SmallSplit> choose(const SmallNode& node, std::span<const SmallSplit> cuts) {
        if (cuts.empty()) return std::nullopt;
        const ChanceTarget target = target_of(node, cuts[0].column);
        claim(node, cuts);
        // If the limits leave a column no split, the next one is tried.
        for (std::int32_t first = least_likely(node, cuts, target); first >= 0;
             first = least_likely(node, cuts, target)) {
            const auto best = most_gained(node, cuts, static_cast<std::size_t>(first));
            if (best) return best;
        }
        return std::nullopt;
    }

  private:
    std::span<const Word> entries(const SmallNode& node, std::size_t c) const {
        return {rows_.entries(c, node.range), node.range.size};
    }
    static double rows_of(const SmallNode& node) { return static_cast<double>(node.range.size); }

    // Any column has all rows.
    ChanceTarget target_of(const SmallNode& node, std::size_t c) const {
        const std::vector<double>& sums = node.stats.sums;
        if constexpr (P::classification) {
            return chance_of_classes(sums, rows_of(node));
        } else {
            return ChanceJudge<P>::of_numbers(rows_.samples(), entries(node, c), sums.data(),
                                              rows_of(node));
        }
    }
    // The share of the impurity that a cut gains.
    double share_of(const SmallNode& node, const SmallSplit& cut) {
        if (judge_.tells_share()) return cut.gain / node.stats.impurity;
        const Samples& samples = rows_.samples();
        const std::size_t width = samples.width();
        sides_.assign(2 * width, 0.0);
        const Word* values = rows_.entries(cut.column, node.range);
        for (std::size_t i = 0; i < node.range.size; ++i)
            P::add(samples, values[i], sides_.data() + (i < cut.position ? 0 : width));
        return judge_.share_of_sides(sides_, node.stats.sums.data());
    }
    void claim(const SmallNode& node, std::span<const SmallSplit> cuts) {
        claims_.assign(cuts.size(), {});
        for (std::size_t at = 0; at < cuts.size(); ++at) {
            ChanceClaim& claim = claims_[at];
            claim.entered = true;
            claim.statistic = share_of(node, cuts[at]) * (rows_of(node) - 1.0);
            // There is nothing to count.
            if (distinct(cuts[at].column)) claim.cuts = count_cuts(node, cuts[at].column);
        }
    }
    bool distinct(std::size_t c) const { return context_.problem.table[c].all_distinct; }
    // The cuts that were tried. They may refer to places_, up to the next call.
    ChanceCuts count_cuts(const SmallNode& node, std::size_t c) {
        const double least = context_.parameters.min_candidate_leaf();
        if (distinct(c)) return distinct_cuts(rows_of(node), least);
        return cuts_in_order<Layout>(entries(node, c), 0, node.range.size, least, places_);
    }

    std::int32_t least_likely(const SmallNode& node, std::span<const SmallSplit> cuts,
                              const ChanceTarget& target) {
        const double unit = rows_of(node) - 1.0;
        const auto share = [&](std::size_t at) { return claims_[at].statistic / unit; };
        return select_by_chance(
            claims_.data(), claims_.size(),
            [&](std::size_t at) {
                ChanceCuts counted = count_cuts(node, cuts[at].column);
                counted.places = {};
                return counted;
            },
            [&](double statistic) { return log_p_of_one_cut(target, statistic / unit); },
            [&](std::size_t at, double crossings) {
                return log_p_of_crossings(target, crossings, share(at));
            },
            [&](std::size_t at, double& crossings) {
                ChanceCuts& counted = claims_[at].cuts;
                if (!(counted.count >= 0.0 && counted.need_no_places()))
                    counted = count_cuts(node, cuts[at].column);
                const double log_p = log_p_of_threshold(target, counted, share(at), &crossings);
                counted.places = {};
                return log_p;
            });
    }
    // Of the acceptable cuts that are as unlikely as the first of them. Those that are not
    // acceptable are out.
    std::optional<SmallSplit> most_gained(const SmallNode& node, std::span<const SmallSplit> cuts,
                                          std::size_t first) {
        const double smallest = claims_[first].log_p;
        std::optional<SmallSplit> best;
        for (std::size_t at = first; at < cuts.size(); ++at) {
            ChanceClaim& claim = claims_[at];
            if (!claim.entered || !claim.known || less_by_chance(smallest, claim.log_p)) continue;
            claim.entered = choice_.acceptable(node.stats, cuts[at].gain);
            if (!claim.entered) continue;
            if (best && !(cuts[at].gain > best->gain + tie_of(node.stats))) continue;
            best = cuts[at];
            best->log_p = claim.log_p;
        }
        return best;
    }

    const Context<P>& context_;
    const SplitChoice<P>& choice_;
    const ChanceJudge<P>& judge_;
    const SmallRows<P>& rows_;
    std::vector<ChanceClaim> claims_;  // one per cut
    std::vector<double> sides_;
    std::array<double, 8> places_{};
};

}  // namespace ramify
