// What attributes claim beyond chance: the share of the impurity that the best split of a column
// gains, and the probability that a column of the same shape, which tells nothing, gains as much
// (counts/beyond_chance.hpp). Invariant: a whole-number weight counts as so many rows. Other
// weights enter shares of the impurity alone, and sizes are numbers of rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "counts/beyond_chance.hpp"
#include "counts/tails.hpp"
#include "evaluate/missing_rules.hpp"
#include "evaluate/workspace.hpp"

namespace ramify {

inline bool whole_weights(std::span<const double> weights) {
    return std::all_of(weights.begin(), weights.end(), [](double w) { return w == std::floor(w); });
}

// Collects the cuts of a column, value by value.
class CutCollector {
  public:
    // `support`: of all rows that a cut divides. A side needs at least `least` of it.
    CutCollector(double support, double least) : support_(support), least_(least) {}

    // Rows that are on the left of every cut.
    void begin_with(double rows, double support) {
        left_ += rows;
        left_support_ += support;
    }
    void add(double rows, double support) {
        if (seen_ && enough_rows(left_support_, least_) &&
            enough_rows(support_ - left_support_, least_)) {
            if (cuts_.count < most) places_[static_cast<std::size_t>(cuts_.count)] = left_;
            if (cuts_.count == 0.0) cuts_.first = left_;
            cuts_.last = left_;
            cuts_.count += 1.0;
        }
        seen_ = true;
        begin_with(rows, support);
    }
    // The cuts refer to this object.
    ChanceCuts cuts() const {
        ChanceCuts found = cuts_;
        // Few cuts are given one by one, unless they are a row apart.
        if (found.count <= most && found.count < found.last - found.first + 0.5)
            found.places = {places_.data(), static_cast<std::size_t>(found.count)};
        return found;
    }

  private:
    static constexpr double most = 8.0;
    double support_, least_;
    double left_ = 0.0, left_support_ = 0.0;
    bool seen_ = false;
    ChanceCuts cuts_;
    std::array<double, static_cast<std::size_t>(most)> places_{};
};

// Cuts after every row: all values of a column differ.
inline ChanceCuts distinct_cuts(double rows, double least) {
    const double first = std::max(1.0, std::ceil(least - row_slack));
    return {std::max(0.0, rows - 2.0 * first + 1.0), first, rows - first, {}};
}

// The cuts of whole rows in order, each of which begins a value or not. `before`: rows that are on
// the left of every cut; `rows`: all of them. `places` has room for eight.
template <typename Layout>
ChanceCuts cuts_in_order(std::span<const typename Layout::Word> entries, std::size_t before,
                         std::size_t rows, double least, std::array<double, 8>& places) {
    const auto side = static_cast<std::size_t>(std::max(1.0, std::ceil(least - row_slack)));
    std::size_t begin = side > before + 1 ? side - before : 1;
    std::size_t end = rows > before + side ? std::min(entries.size(), rows - before - side + 1) : 0;
    while (begin < end && !Layout::fresh(entries[begin])) ++begin;
    while (end > begin && !Layout::fresh(entries[end - 1])) --end;
    if (begin >= end) return {};
    std::uint32_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += Layout::fresh(entries[i]) ? 1u : 0u;
    ChanceCuts cuts{static_cast<double>(count),
                    static_cast<double>(before + begin),
                    static_cast<double>(before + end - 1),
                    {}};
    // Few cuts are given one by one, unless they are a row apart.
    if (count > places.size() || count == end - begin) return cuts;
    std::size_t at = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (Layout::fresh(entries[i])) places[at++] = static_cast<double>(before + i);
    }
    cuts.places = {places.data(), at};
    return cuts;
}

// Shares of the impurity are those of the Gini index of classes or of the squared error of numbers,
// whatever the criterion: the distribution by chance is that of sums of squares.
template <Target P>
class ChanceJudge {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Cell = typename P::Cell;

    ChanceJudge(const Context<P>& context, const MissingRules<P>& missing)
        : context_(context),
          missing_(missing),
          asked_(context.parameters.selection == Selection::beyond_chance),
          counts_weights_(P::weighted && asked_ && whole_weights(context.problem.weights)),
          tells_share_(tells_share(context.criterion)) {}

    bool asked() const { return asked_; }

    // A column whose levels are judged all at once, from the table of its levels.
    void enter_levels(const NodeView<Word>& view, const KnownRows<Word>& known,
                      std::span<const Word> entries, const LevelTable& levels,
                      Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        const std::size_t width = context_.samples.width();
        // Rows without a value are a level, unless they are divided among the branches.
        const bool one_more = known.missing && !missing_.fractional();
        const double* all = one_more ? stats.sums.data() : known.sums;
        ChanceEvidence& chance = out.chance;
        chance = {};
        chance.of_levels = true;
        chance.only_known = known.missing && !one_more;
        chance.complete = !chance.only_known;
        double largest = 0.0;
        double between = 0.0;
        const auto add = [&](const double* sums, double support) {
            const double weight = context_.weight_of(sums);
            const double size = rows_of(weight, support);
            largest = std::max(largest, size);
            chance.levels.add(std::max(1.0, size));  // parts of rows may be less
            between += between_part(sums, weight, all);
        };
        for (std::size_t l = 0; l < levels.size(); ++l)
            add(levels.sums.data() + l * width, levels.support[l]);
        if (one_more) add(known.rest.data(), stats.support - known.support);
        chance.share = share_of(between, all);
        chance.entered = largest > 1.0 + row_slack && chance.levels.count > 1.5;
        if (chance.only_known) chance.own = target_of(known, entries);
    }

    // A column with a threshold, which has been found.
    template <typename Form>
    void enter_threshold(const NodeView<Word>& view, const Form& form, Workspace<Word>& s,
                         Candidate& out) const {
        const NodeStats& stats = view.node->stats;
        ChanceEvidence& chance = out.chance;
        chance = {};
        chance.entered = true;
        chance.least = context_.parameters.min_candidate_leaf();
        if constexpr (std::is_same_v<Form, OrderedForm<P>>) {
            const KnownRows<Word>& known = s.known;
            if (known.missing) {
                chance.complete = false;
                chance.least = known.least;
                chance.only_known = missing_.fractional();
                chance.known_rows = rows_of(known.weight, known.support);
                chance.known_support = known.support;
                if (chance.only_known) {
                    chance.own = target_of(known, form.entries());
                } else {
                    const bool apart = enough_rows(known.support, known.least) &&
                                       enough_rows(stats.support - known.support, known.least);
                    chance.tries = apart ? 3.0 : 2.0;
                }
                sum_sides(form, s, out);
                chance.share =
                    share_of_sides(s.branches, chance.only_known ? known.sums : stats.sums.data());
                return;
            }
        }
        if (tells_share_) {
            chance.share = out.gain / stats.impurity;
            return;
        }
        sum_sides(form, s, out);
        chance.share = share_of_sides(s.branches, stats.sums.data());
    }

    // Whether no column of thresholds can be told from chance at a node.
    bool too_few(const NodeStats& stats) const {
        const double rows = rows_of(stats.weight, stats.support);
        if constexpr (P::classification) {
            return too_few_classes_to_tell(stats.sums, rows);
        } else {
            return too_few_numbers_to_tell(rows);
        }
    }
    // The target of all rows of a node, which one column at least can split.
    ChanceTarget target_of(const NodeView<Word>& view, const Candidate* candidates) const {
        const NodeStats& stats = view.node->stats;
        const double rows = rows_of(stats.weight, stats.support);
        if constexpr (P::classification) {
            return chance_of_classes(stats.sums, rows);
        } else {
            return of_numbers(members(*view.node, candidates), stats.sums.data(), rows);
        }
    }
    // The target that a column is judged by.
    static const ChanceTarget& target_of(const ChanceEvidence& chance, const ChanceTarget& all) {
        return chance.only_known ? chance.own : all;
    }
    // Of column c.
    void claim(std::size_t c, const ChanceEvidence& chance, const ChanceTarget& all,
               ChanceClaim& claim) const {
        claim = {};
        claim.entered = chance.entered;
        if (!chance.entered) return;
        const ChanceTarget& target = target_of(chance, all);
        claim.complete = chance.complete && !chance.of_levels;
        if (chance.of_levels) return;
        claim.statistic = chance.share * (target.rows - 1.0);
        if (!P::weighted && chance.complete && context_.problem.table[c].all_distinct)
            claim.cuts = distinct_cuts(target.rows, chance.least);
    }
    double least(const ChanceEvidence& chance, const ChanceTarget& all, double crossings) const {
        if (chance.of_levels)
            return least_log_p_of_levels(target_of(chance, all), chance.levels, chance.share);
        return adjusted(chance,
                        log_p_of_crossings(target_of(chance, all), crossings, chance.share));
    }
    // `counted`: the cuts without their places, if they were counted before; they are afterwards.
    double exact(const NodeView<Word>& view, std::size_t c, const Candidate& split,
                 const ChanceTarget& all, Workspace<Word>& s, ChanceCuts& counted,
                 double& crossings) const {
        const ChanceTarget& target = target_of(split.chance, all);
        const double share = split.chance.share;
        if (split.chance.of_levels) return log_p_of_levels(target, split.chance.levels, share);
        double found = 0.0;
        if (counted.count >= 0.0 && counted.need_no_places()) {
            found = log_p_of_threshold(target, counted, share, &crossings);
        } else {
            with_cuts(view, c, split, s, [&](const ChanceCuts& cuts) {
                found = log_p_of_threshold(target, cuts, share, &crossings);
                counted = cuts;
                counted.places = {};
            });
        }
        return adjusted(split.chance, found);
    }
    // Without their places.
    ChanceCuts cuts(const NodeView<Word>& view, std::size_t c, const Candidate& split,
                    Workspace<Word>& s) const {
        ChanceCuts found;
        with_cuts(view, c, split, s, [&](const ChanceCuts& cuts) { found = cuts; });
        found.places = {};
        return found;
    }

    // The share of the impurity that lies between two sides whose sums lie one after the other.
    double share_of_sides(const std::vector<double>& sides, const double* all) const {
        const std::size_t width = context_.samples.width();
        double between = 0.0;
        for (const double* sums : {sides.data(), sides.data() + width})
            between += between_part(sums, context_.weight_of(sums), all);
        return share_of(between, all);
    }
    // Whether the gain over the impurity is the share.
    bool tells_share() const { return tells_share_; }

    // Of numbers, given their entries and sums.
    ChanceTarget of_numbers(std::span<const Word> entries, const double* sums, double rows) const {
        return of_numbers(context_.samples, entries, sums, rows);
    }
    static ChanceTarget of_numbers(const Samples& samples, std::span<const Word> entries,
                                   const double* sums, double rows) {
        const double mean = sums[1] / sums[0];
        double squares = 0.0;
        double fourths = 0.0;
        for (const Word entry : entries) {
            const double y = samples.target[Layout::row(entry)] - mean;
            const double square = y * y;
            const double weighed = P::weight(samples, entry) * square;
            squares += weighed;
            fourths += weighed * square;
        }
        return chance_of_numbers(squares / sums[0], fourths / sums[0], rows);
    }

  private:
    static bool tells_share(const Criterion& criterion) {
        const WalkKind kind = criterion.of_thresholds().walk_kind();
        return criterion.drop_of_impurity() && !criterion.by_information() &&
               (kind == WalkKind::gini || kind == WalkKind::squared_error) &&
               criterion.min_support <= 0.0;
    }
    double rows_of(double weight, double support) const {
        return counts_weights_ ? weight : support;
    }
    static double adjusted(const ChanceEvidence& chance, double log_p) {
        return chance.tries > 1.0 ? log_adjusted(log_p, chance.tries) : log_p;
    }

    // What a part of the rows adds to the sum of squares between parts.
    double between_part(const double* sums, double weight, const double* all) const {
        if (!(weight > 0.0)) return 0.0;
        if constexpr (P::classification) {
            double squares = 0.0;
            for (std::size_t j = 0; j < context_.samples.classes; ++j) squares += sums[j] * sums[j];
            return squares / weight;
        } else {
            const double about_mean = sums[1] - all[1] / all[0] * weight;
            return about_mean * about_mean / weight;
        }
    }
    double share_of(double between, const double* all) const {
        double share;
        const double weight = context_.weight_of(all);
        if constexpr (P::classification) {
            double squares = 0.0;
            for (std::size_t j = 0; j < context_.samples.classes; ++j) squares += all[j] * all[j];
            share = (between - squares / weight) / (weight - squares / weight);
        } else {
            share = between / (all[2] - all[1] / weight * all[1]);
        }
        return share > 0.0 ? std::min(share, 1.0) : 0.0;
    }

    // Puts the sums of both sides of a threshold in s.branches, rows without a value included if
    // they go to one side.
    void sum_sides(const CodedForm<P>& form, Workspace<Word>& s, const Candidate& split) const {
        s.branches.assign(2 * context_.samples.width(), 0.0);
        form.sum_sides(split, s.branches, [](double) {});
    }
    void sum_sides(const OrderedForm<P>& form, Workspace<Word>& s, const Candidate& split) const {
        const std::size_t width = context_.samples.width();
        s.branches.assign(2 * width, 0.0);
        form.sum_sides(s.known, split.boundary, s.branches, [](double) {});
        if (!s.known.missing || split.missing_to < 0) return;
        double* side = s.branches.data() + static_cast<std::size_t>(split.missing_to) * width;
        for (std::size_t j = 0; j < width; ++j) side[j] += s.known.rest[j];
    }

    ChanceTarget target_of(const KnownRows<Word>& known, std::span<const Word> entries) const {
        const double rows = rows_of(known.weight, known.support);
        if constexpr (P::classification) {
            return chance_of_classes({known.sums, context_.samples.classes}, rows);
        } else {
            return of_numbers(entries, known.sums, rows);
        }
    }
    // The rows of a node: those of the list, or of any column that is not constant. Without a list,
    // no column lacks any row.
    std::span<const Word> members(const OpenNode<Word>& node, const Candidate* candidates) const {
        if (context_.rows_column < node.ranges.size()) return context_.cells.rows(node);
        std::size_t c = 0;
        while (!candidates[c].chance.entered) ++c;
        return context_.ordered(node, c).entries();
    }

    template <typename Use>
    void with_cuts(const NodeView<Word>& view, std::size_t c, const Candidate& split,
                   Workspace<Word>& s, Use&& use) const {
        const OpenNode<Word>& node = *view.node;
        const NodeStats& stats = node.stats;
        const ChanceEvidence& chance = split.chance;
        const Range& range = node.ranges[c];
        if (!P::weighted && chance.complete && !range.coded && !context_.sparse[c] &&
            context_.problem.table[c].all_distinct) {
            use(distinct_cuts(stats.support, chance.least));
            return;
        }
        if (!P::weighted && !range.coded && !context_.sparse[c] && !split.known_only) {
            const auto known = static_cast<std::size_t>(range.size);
            const auto rows = chance.only_known ? known : static_cast<std::size_t>(stats.rows);
            std::array<double, 8> places;
            use(cuts_in_order<Layout>(context_.ordered(node, c).entries(),
                                      split.missing_to == 0 ? rows - known : 0, rows, chance.least,
                                      places));
            return;
        }
        CutCollector found(chance.only_known ? chance.known_support : stats.support, chance.least);
        if (!chance.complete && split.missing_to == 0)
            found.begin_with(rows_of(stats.weight, stats.support) - chance.known_rows,
                             stats.support - chance.known_support);
        const auto add = [&](double weight, double support) {
            found.add(rows_of(weight, support), support);
        };
        if (range.coded) {
            context_.coded(node, c, cells_of(view, c, s)).for_each_size(add);
        } else {
            context_.ordered(node, c).for_each_size(add);
        }
        // All known values against none: one cut more.
        if (split.known_only) found.add(0.0, 0.0);
        use(found.cuts());
    }
    // The cells of a coded column, which have been counted already if the node keeps them.
    const Cell* cells_of(const NodeView<Word>& view, std::size_t c, Workspace<Word>& s) const {
        if (const Cell* kept = context_.cells.kept_cells(*view.node, c)) return kept;
        auto& counted = s.template cells<Cell>();
        counted.resize(context_.cells.size(c));
        context_.cells.count(*view.node, c, counted.data());
        return counted.data();
    }

    const Context<P>& context_;
    const MissingRules<P>& missing_;
    const bool asked_;
    const bool counts_weights_;
    const bool tells_share_;
};

}  // namespace ramify
