// The code of the evaluator: known and missing rows of a column, thresholds, and what the tree is
// told of a winner. Invariant: that of evaluator.hpp. Included where a policy is instantiated.
#pragma once

#include "grow/evaluator.hpp"

namespace ramify {

template <typename P>
double Evaluator<P>::score(const double* node, const double* children, std::size_t count) const {
    if constexpr (P::classification) {
        return problem_.criterion->score({node, children, count, samples_.classes});
    }
    return variance_reduction(node, children, count);
}

template <typename P>
double Evaluator<P>::threshold_score(const double* node, const double* children) const {
    if constexpr (P::classification) {
        const Criterion& criterion = problem_.criterion->of_thresholds();
        return criterion.score({node, children, 2, samples_.classes});
    }
    return score(node, children, 2);
}

template <typename P>
auto Evaluator<P>::known_part(const NodeView<Word>& view, const Range& range, std::size_t c,
                              Scratch<Word>& s) const -> KnownRows {
    const auto& node = *view.node;
    const Word* entries = node.block->columns[c].data() + range.begin;
    KnownRows known;
    known.segment = {entries, range.size, range.below, false, nullptr, 0.0};
    known.sums = node.stats.sums.data();
    known.weight = node.stats.weight;
    known.support = node.stats.support;
    known.least = problem_.parameters.min_candidate_leaf();
    if (static_cast<std::int64_t>(range.size) == node.stats.rows) return known;

    const std::size_t width = samples_.width();
    s.known.assign(width, 0.0);
    s.rest.resize(width);
    double support = 0.0;
    for (std::size_t i = 0; i < range.size; ++i) {
        P::add(samples_, entries[i], s.known.data());
        support += P::support(samples_, entries[i]);
    }
    for (std::size_t j = 0; j < width; ++j) {
        s.rest[j] = node.stats.sums[j] - s.known[j];
        // Rounding must not leave weight, positive or negative, in a class that no such row has.
        if (P::classification && s.rest[j] <= 1e-13 * node.stats.sums[j]) s.rest[j] = 0.0;
    }
    if (hidden_[c]) {
        known.segment.has_mode = true;
        known.segment.mode_sums = s.rest.data();
        known.segment.mode_support = node.stats.support - support;
        return known;
    }
    known.missing = true;
    known.sums = s.known.data();
    known.weight = weight_of(known.sums);
    known.support = support;
    known.least = least_known(view, c, support);
    return known;
}

template <typename P>
double Evaluator<P>::divided_rows(const OpenNode<Word>& node, std::size_t c,
                                  double missing_support) const {
    if (missing_support <= 0.0) return 0.0;  // without holes there may be no list of the rows
    if constexpr (P::weighted) {
        // A part that is too light to be divided takes one branch.
        const Range& range = node.ranges[rows_column_];
        const Word* entries = node.block->columns[rows_column_].data() + range.begin;
        for (std::size_t i = 0; i < range.size; ++i) {
            const std::uint32_t sample = Layout::row(entries[i]);
            if (samples_.part(sample) < problem_.parameters.least_fraction() &&
                problem_.table[c].missing(source_row(sample)))
                missing_support -= 1.0;
        }
    }
    return missing_support;
}

template <typename P>
double Evaluator<P>::least_known(const NodeView<Word>& view, std::size_t c,
                                 double known_support) const {
    const double least = problem_.parameters.min_candidate_leaf();
    if (least <= 0.0 || !problem_.parameters.counts_pieces()) return least;
    const double missing = view.node->stats.support - known_support;
    return std::max(0.0, least - divided_rows(*view.node, c, missing));
}

template <typename P>
double Evaluator<P>::counting_share(const NodeView<Word>& view, const KnownRows& known) const {
    if (!known.missing || problem_.parameters.missing != Missing::fractional) return 1.0;
    const double share = known.weight / view.node->stats.weight;
    if (problem_.parameters.divides_first()) return shrinks_by_square() ? share * share : 1.0;
    if constexpr (P::classification) return problem_.criterion->discounts_missing() ? share : 1.0;
    return share;
}

template <typename P>
void Evaluator<P>::divide_rest(double* sums, std::size_t count, const KnownRows& known,
                               Scratch<Word>& s) const {
    const std::size_t width = samples_.width();
    for (std::size_t b = 0; b < count; ++b) {
        double* to = sums + b * width;
        const double share = weight_of(to) / known.weight;
        for (std::size_t j = 0; j < width; ++j) to[j] += share * s.rest[j];
    }
}

template <typename P>
void Evaluator<P>::evaluate(const NodeView<Word>& view, Range& range, std::size_t c,
                            Scratch<Word>& s, Candidate& out, const Cell* counts) const {
    out.reset();
    if (range.constant) return;
    if (range.size > 4096) interrupt_.poll();
    if (range.coded && !this->counts(c, range.size)) put_in_order(view, range, c, s);
    const bool screened = screens();
    // Only the chosen attribute needs a split, unless all are remembered.
    const bool later = by_inference() && view.node->depth >= problem_.parameters.competitor_depth;
    if (range.coded && by_levels(c)) {
        if (screened) counts = counted(view, c, s, counts);
        const KnownRows known = sum_counts(view, c, s, counts);
        range.constant = s.level_codes.size() < (sets_apart(known) ? 1 : 2);
        if (range.constant) return;
        if (screened) {
            if (problem_.table[c].kind == Kind::nominal) {
                if (!screen_levels(view, known, c, s, out)) return;
            } else {
                if (tests()) out.test = test_counts(view, range, c, s, counts);
                if (!significant(out.test, c)) return;
            }
            out.pending = later;
        }
        if (!out.pending) nominal_counted(view, range, known, c, s, out);
        return;
    }
    if (range.coded) {
        if (screened) {
            counts = counted(view, c, s, counts);
            out.test = test_counts(view, range, c, s, counts);
            if (!significant(out.test, c)) return;
            out.pending = later;
        }
        if (!out.pending) numeric_from_counts(view, range, c, s, out, counts);
        return;
    }
    const KnownRows known = known_part(view, range, c, s);
    if (screened) {
        if (!screen(view, range, known, c, s, out)) return;
        out.pending = later;
    }
    if (!out.pending) search_known(view, range, known, c, s, out, screened);
}

template <typename P>
void Evaluator<P>::search(const NodeView<Word>& view, Range& range, std::size_t c, Scratch<Word>& s,
                          Candidate& out) const {
    out.pending = false;
    if (range.coded && by_levels(c)) {
        const KnownRows known = sum_counts(view, c, s, nullptr);
        nominal_counted(view, range, known, c, s, out);
    } else if (range.coded) {
        numeric_from_counts(view, range, c, s, out, nullptr);
    } else {
        search_known(view, range, known_part(view, range, c, s), c, s, out, false);
    }
}

// `summed`: the sums of the levels of a nominal column are in the scratch already.
template <typename P>
void Evaluator<P>::search_known(const NodeView<Word>& view, Range& range, const KnownRows& known,
                                std::size_t c, Scratch<Word>& s, Candidate& out,
                                bool summed) const {
    const Column& column = problem_.table[c];
    const Word* entries = known.segment.entries;
    bool varies = known.segment.has_mode ? range.size > 0 : column.all_distinct && range.size > 1;
    for (std::size_t i = 1; i < range.size && !varies; ++i) varies = Layout::fresh(entries[i]);
    if (range.size == 0 || (!varies && !sets_apart(known))) {
        range.constant = true;
        return;
    }
    const bool of_levels = by_levels(c);
    if (absolute()) {
        if (of_levels) {
            nominal_absolute(view, range, known, c, s, out);
        } else {
            numeric_absolute(view, known, c, s, out);
        }
    } else if (of_levels) {
        if (!summed || column.kind != Kind::nominal) sum_levels(range, known, s);
        nominal(view, known, c, s, out);
    } else {
        numeric(view, known, s, out);
        if (out.valid() && tests_splits()) test_threshold(range, known, s, out);
    }
    if (out.valid() && by_information()) weigh_candidate(view, range, known, s, out);
    if (out.valid()) discount(view, known, out);
}

template <typename P>
void Evaluator<P>::discount(const NodeView<Word>& view, const KnownRows& known,
                            Candidate& out) const {
    const double share = counting_share(view, known);
    out.gain *= share;
    out.information *= share;
}

template <typename P>
template <typename Drive>
auto Evaluator<P>::with_walk(const WalkTotal& total, const Samples& samples, Scratch<Word>& s,
                             Drive&& drive) const {
    const auto run = [&](auto walk) {
        auto found = drive(walk);
        return std::pair(std::move(found), walk.gain());
    };
    if constexpr (P::classification) {
        if (total.divided != nullptr)
            return run(
                CriterionWalk<P>(total, samples, problem_.criterion->of_thresholds(), s.sums));
        if constexpr (!P::weighted) {
            const WalkKind kind = problem_.criterion->of_thresholds().walk_kind();
            if (kind == WalkKind::gini && samples.classes == 2)
                return run(TwoClassGiniWalk<Layout>(total));
            if (kind == WalkKind::gini)
                return run(GiniWalk<Layout>(total, samples.classes, s.counts));
            if (kind == WalkKind::entropy) {
                return run(EntropyWalk<Layout>(total, samples.classes, *logs_, s.counts));
            }
        }
        if constexpr (P::weighted) {
            if (problem_.criterion->of_thresholds().walk_kind() == WalkKind::gini) {
                if (samples.classes != 2) return run(WeightedGiniWalk<P>(total, samples, s.sums));
                if (samples.equal_weights)
                    return run(TwoClassWeightedGiniWalk<P, true>(total, samples));
                return run(TwoClassWeightedGiniWalk<P, false>(total, samples));
            }
        }
        return run(CriterionWalk<P>(total, samples, problem_.criterion->of_thresholds(), s.sums));
    } else {
        return run(SquaredErrorWalk<P>(total, samples));
    }
}

template <typename P>
std::pair<std::optional<Boundary>, double> Evaluator<P>::walk(const Segment<Word>& segment,
                                                              const WalkTotal& total,
                                                              const double* preload,
                                                              double preload_support,
                                                              Scratch<Word>& s) const {
    return with_walk(total, samples_, s, [&](auto& walk) {
        if (preload != nullptr) walk.add_block(preload, preload_support);
        return best_threshold<Layout>(segment, walk);
    });
}

template <typename P>
void Evaluator<P>::numeric(const NodeView<Word>& view, const KnownRows& known, Scratch<Word>& s,
                           Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const auto offer = [&](const std::pair<std::optional<Boundary>, double>& found,
                           std::int32_t missing_to) {
        if (!found.first || !(found.second > out.gain + (out.valid() ? tie(stats) : 0.0))) {
            return;
        }
        out.kind = ConditionKind::threshold;
        out.gain = found.second;
        out.boundary = *found.first;
        out.missing_to = missing_to;
    };
    if (!known.missing) {
        offer(walk(known.segment,
                   total(known.sums, known.weight, known.support, stats.scale, view.floor), nullptr,
                   0.0, s),
              -1);
        return;
    }
    if (problem_.parameters.missing == Missing::fractional) {
        WalkTotal scored = combines(known)
                               ? total(stats.sums.data(), stats.weight, known.support, stats.scale)
                               : total(known.sums, known.weight, known.support,
                                       scale_of(known.sums, impurity(known.sums)));
        if (combines(known)) scored.divided = s.rest.data();
        scored.floor = view.floor / counting_share(view, known);
        scored.min_leaf = known.least;
        offer(walk(known.segment, scored, nullptr, 0.0, s), -1);
        return;
    }
    const WalkTotal all =
        total(stats.sums.data(), stats.weight, stats.support, stats.scale, view.floor);
    const double missing_support = stats.support - known.support;
    offer(walk(known.segment, all, s.rest.data(), missing_support, s), 0);
    offer(walk(known.segment, all, nullptr, 0.0, s), 1);
    const double least = known.least - 1e-9;
    if (known.support >= least && missing_support >= least) {
        s.children.assign(known.sums, known.sums + samples_.width());
        s.children.insert(s.children.end(), s.rest.begin(), s.rest.end());
        // The same score as for the other thresholds.
        const double gain = threshold_score(stats.sums.data(), s.children.data());
        offer({Boundary{known.segment.size, false}, gain}, 1);
        out.known_only = out.valid() && out.boundary.position == known.segment.size;
    }
}

// What the tree is told of a winner.

// The branches of all levels of an ordinal column, given those of the levels at the node. An absent
// level goes with the next higher one, as at a threshold. Levels above the highest go with the
// highest.
inline std::vector<std::pair<std::int32_t, std::int32_t>> filled(
    const std::vector<std::pair<std::int32_t, std::int32_t>>& present, std::size_t levels) {
    std::vector<std::pair<std::int32_t, std::int32_t>> result;
    std::size_t next = 0;
    for (std::int32_t code = 0; code < static_cast<std::int32_t>(levels); ++code) {
        if (code > present[next].first && next + 1 < present.size()) ++next;
        result.emplace_back(code, present[next].second);
    }
    return result;
}

template <typename P>
std::vector<std::pair<std::int32_t, std::int32_t>> Evaluator<P>::levels(
    const OpenNode<Word>& node, std::size_t c, const Candidate& candidate) const {
    std::vector<std::pair<std::int32_t, std::int32_t>> result;
    if (candidate.kind == ConditionKind::threshold) return result;
    const Column& column = problem_.table[c];
    if (candidate.counted) {
        for (const std::int32_t code : candidate.level_codes) {
            // The codes of an ordinal column are those of its values that occur.
            const auto at = static_cast<std::size_t>(code);
            result.emplace_back(
                column.kind == Kind::ordinal ? column.codes[coded_[c].first_row[at]] : code,
                candidate.branch_of_level[result.size()]);
        }
        return column.kind == Kind::ordinal ? filled(result, column.levels) : result;
    }
    const Range& range = node.ranges[c];
    const Word* entries = node.block->columns[c].data() + range.begin;
    const bool mode_present = hidden_[c] && static_cast<std::int64_t>(range.size) < node.stats.rows;
    for_each_value(entries, range, mode_present, [&](std::size_t begin, std::size_t, bool mode) {
        // The cell of a sample's row tells its level, for the parts of a spread row too.
        const std::size_t row = mode ? column.mode_row : source_row(Layout::row(entries[begin]));
        result.emplace_back(column.codes[row], candidate.branch_of_level[result.size()]);
    });
    return column.kind == Kind::ordinal ? filled(result, column.levels) : result;
}

template <typename P>
double Evaluator<P>::threshold(const OpenNode<Word>& node, std::size_t c,
                               const Candidate& candidate) const {
    if (candidate.known_only) return std::numeric_limits<double>::infinity();
    const Column& column = problem_.table[c];
    if (candidate.counted) {
        const auto& rows = coded_[c].first_row;
        return threshold_of(column,
                            column.value(rows[static_cast<std::size_t>(candidate.lower_code)]),
                            column.value(rows[static_cast<std::size_t>(candidate.upper_code)]));
    }
    const Range& range = node.ranges[c];
    const Word* entries = node.block->columns[c].data() + range.begin;
    const bool mode_present = hidden_[c] && static_cast<std::int64_t>(range.size) < node.stats.rows;
    const double mode = mode_present ? column.value(column.mode_row) : 0.0;
    const auto value = [&](std::size_t i) {
        return column.value(source_row(Layout::row(entries[i])));
    };
    const Boundary& cut = candidate.boundary;
    const bool at_mode = mode_present && cut.position == range.below;
    const double lower = at_mode && cut.mode_left ? mode : value(cut.position - 1);
    const double upper = at_mode && !cut.mode_left ? mode : value(cut.position);
    return threshold_of(column, lower, upper);
}

}  // namespace ramify
