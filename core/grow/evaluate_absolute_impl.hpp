// Absolute error: medians do not add up, so every cut asks a Fenwick tree over the ranks of the
// targets. Invariant: that of evaluator.hpp. Included where a policy is instantiated.
#pragma once

#include "grow/evaluator.hpp"

namespace ramify {

template <typename P>
void Evaluator<P>::prepare_absolute(NodeView<Word>& view,
                                    std::vector<std::uint32_t>& all_ranks) const {
    const auto& node = *view.node;
    const Range& range = node.ranges[rows_column_];
    const Word* entries = node.block->columns[rows_column_].data() + range.begin;
    std::vector<std::uint32_t> order(range.size);
    for (std::size_t i = 0; i < range.size; ++i) order[i] = Layout::row(entries[i]);
    std::size_t compared = 0;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (++compared % 65536 == 0) interrupt_.poll();
        return samples_.target[a] < samples_.target[b] ||
               (samples_.target[a] == samples_.target[b] && a < b);
    });
    view.sorted_targets.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        view.sorted_targets[i] = samples_.target[order[i]];
        all_ranks[order[i]] = static_cast<std::uint32_t>(i);
    }
    MedianSums sums(view.sorted_targets);
    for (std::size_t i = 0; i < range.size; ++i) {
        sums.add((all_ranks)[Layout::row(entries[i])], P::weight(samples_, entries[i]));
    }
    view.loss = sums.loss();
}

template <typename P>
double Evaluator<P>::absolute_loss(const NodeView<Word>& view, const std::vector<Word>& entries,
                                   const Holes& with) const {
    if (entries.empty()) return 0.0;
    MedianSums sums(view.sorted_targets);
    std::size_t added = 0;
    for (const Word entry : entries) {
        if (++added % 4096 == 0) interrupt_.poll();
        sums.add((*ranks)[Layout::row(entry)], P::weight(samples_, entry));
    }
    return with.loss(sums);
}

template <typename P>
auto Evaluator<P>::missing_entries(const NodeView<Word>& view, const KnownRows& known) const
    -> std::vector<Word> {
    std::vector<Word> missing;
    if (!known.missing) return missing;
    const auto& node = *view.node;
    std::vector<bool> has(view.sorted_targets.size(), false);
    for (std::size_t i = 0; i < known.segment.size; ++i) {
        has[(*ranks)[Layout::row(known.segment.entries[i])]] = true;
    }
    const Range& range = node.ranges[rows_column_];
    const Word* entries = node.block->columns[rows_column_].data() + range.begin;
    for (std::size_t i = 0; i < range.size; ++i) {
        if (!has[(*ranks)[Layout::row(entries[i])]]) missing.push_back(entries[i]);
    }
    return missing;
}

template <typename P>
auto Evaluator<P>::holes(const NodeView<Word>& view, const KnownRows& known) const -> Holes {
    Holes holes;
    const GrowParameters& parameters = problem_.parameters;
    // A split that is scored on the known rows alone does not need the others.
    if (parameters.missing == Missing::fractional && !parameters.divides_first()) return holes;
    holes.entries = missing_entries(view, known);
    if (!combines(known)) return holes;
    holes.divided.emplace(view.sorted_targets);
    for (const Word entry : holes.entries)
        holes.divided->add((*ranks)[Layout::row(entry)], P::weight(samples_, entry));
    holes.known_weight = known.weight;
    holes.entries.clear();
    return holes;
}

template <typename P>
double Evaluator<P>::absolute_gain(const NodeView<Word>& view, const KnownRows& known,
                                   double loss) const {
    const GrowParameters& parameters = problem_.parameters;
    const bool on_known =
        known.missing && parameters.missing == Missing::fractional && !parameters.divides_first();
    const double before = on_known ? absolute_loss(view, known_entries(known)) : view.loss;
    const double weight = on_known ? known.weight : view.node->stats.weight;
    return std::max(0.0, (before - loss) / weight);
}

// The cut of a sequence that leaves the least loss, and that loss. Position 0: there is no cut.
template <typename P>
std::pair<std::size_t, double> Evaluator<P>::best_absolute_cut(
    const NodeView<Word>& view, const KnownRows& known, const Word* entries, std::size_t size,
    const Holes& holes, std::int32_t missing_to, Scratch<Word>& s) const {
    MedianSums sums(view.sorted_targets);
    std::size_t added = 0;
    const auto add = [&](Word entry) {
        if (++added % 4096 == 0) interrupt_.poll();
        sums.add((*ranks)[Layout::row(entry)], P::weight(samples_, entry));
        return P::support(samples_, entry);
    };
    const double least = known.least - 1e-9;
    const double never = std::numeric_limits<double>::infinity();
    s.left_loss.assign(size, never);
    double support = 0.0;
    if (missing_to == 0) {
        for (const Word entry : holes.entries) support += add(entry);
    }
    for (std::size_t i = 0; i < size; ++i) {
        if (i > 0 && Layout::fresh(entries[i]) && support >= least)
            s.left_loss[i] = holes.loss(sums);
        support += add(entries[i]);
    }
    sums.clear();
    support = 0.0;
    if (missing_to == 1) {
        for (const Word entry : holes.entries) support += add(entry);
    }
    for (std::size_t i = size; i-- > 1;) {
        support += add(entries[i]);
        if (s.left_loss[i] != never) s.left_loss[i] += support >= least ? holes.loss(sums) : never;
    }
    std::size_t best = 0;
    double best_loss = never;
    for (std::size_t i = 1; i < size; ++i) {
        if (s.left_loss[i] < best_loss - (best == 0 ? 0.0 : tie_tolerance * view.loss)) {
            best = i;
            best_loss = s.left_loss[i];
        }
    }
    return {best, best_loss};
}

// The loss of all known rows against all others; infinite if one side has too few rows.
template <typename P>
double Evaluator<P>::absolute_loss_apart(const NodeView<Word>& view, const KnownRows& known,
                                         const Holes& missing) const {
    const double least = known.least - 1e-9;
    if (known.support < least || view.node->stats.support - known.support < least)
        return std::numeric_limits<double>::infinity();
    return absolute_loss(view, missing.entries) + absolute_loss(view, known_entries(known));
}

template <typename P>
void Evaluator<P>::numeric_absolute(const NodeView<Word>& view, const KnownRows& known, std::size_t,
                                    Scratch<Word>& s, Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const Holes missing = holes(view, known);
    const auto offer = [&](std::size_t position, double loss, std::int32_t missing_to) {
        if (position == 0) return;
        const double gain = absolute_gain(view, known, loss);
        if (!(gain > out.gain + (out.valid() ? tie(stats) : 0.0))) return;
        out.kind = ConditionKind::threshold;
        out.gain = gain;
        out.boundary = Boundary{position, false};
        out.missing_to = missing_to;
    };
    const Segment<Word>& segment = known.segment;
    if (missing.entries.empty()) {
        const auto [position, loss] =
            best_absolute_cut(view, known, segment.entries, segment.size, missing, -1, s);
        offer(position, loss, -1);
        return;
    }
    for (const std::int32_t missing_to : {0, 1}) {
        const auto [position, loss] =
            best_absolute_cut(view, known, segment.entries, segment.size, missing, missing_to, s);
        offer(position, loss, missing_to);
    }
    const double apart = absolute_loss_apart(view, known, missing);
    if (std::isinf(apart)) return;
    offer(segment.size, apart, 1);
    out.known_only = out.valid() && out.boundary.position == segment.size;
}

// Orders the levels by their medians and cuts them like a column of numbers. This is a heuristic:
// the best division need not be a cut of any order.
template <typename P>
void Evaluator<P>::nominal_absolute(const NodeView<Word>& view, const Range& range,
                                    const KnownRows& known, std::size_t, Scratch<Word>& s,
                                    Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const Missing policy = problem_.parameters.missing;
    const Word* entries = known.segment.entries;
    std::vector<std::vector<Word>> groups;
    for_each_value(entries, range, false, [&](std::size_t begin, std::size_t end, bool) {
        groups.emplace_back(entries + begin, entries + end);
    });
    const Holes missing = holes(view, known);
    const bool missing_level = policy == Missing::separate && !missing.entries.empty();
    if (missing_level) groups.push_back(missing.entries);
    const std::size_t levels = groups.size();
    const bool direction = policy == Missing::direction && !missing.entries.empty();

    const auto settle = [&](std::vector<std::vector<Word>> children) {
        double loss = 0.0;
        std::vector<double> own(children.size());
        for (std::size_t b = 0; b < children.size(); ++b)
            loss += own[b] = absolute_loss(view, children[b], missing);
        double best = loss;
        if (direction) {
            best = std::numeric_limits<double>::infinity();
            for (std::size_t b = 0; b < children.size(); ++b) {
                std::vector<Word> with = children[b];
                with.insert(with.end(), missing.entries.begin(), missing.entries.end());
                const double total = loss - own[b] + absolute_loss(view, with);
                if (total < best - tie_tolerance * view.loss) {
                    best = total;
                    out.missing_to = static_cast<std::int32_t>(b);
                }
            }
        }
        out.gain = absolute_gain(view, known, best);
        if (missing_level) {
            out.missing_to = out.branch_of_level.back();
            out.branch_of_level.pop_back();
        }
    };
    const auto large_enough = [&](const std::vector<Word>& group) {
        double support = 0.0;
        for (const Word entry : group) support += P::support(samples_, entry);
        return support >= known.least - 1e-9;
    };
    if (!problem_.parameters.multiway) {
        std::vector<std::vector<Word>> children =
            divide_by_medians(view, known, groups, missing, s, out);
        if (!children.empty()) settle(std::move(children));
    } else if (levels > 1 && std::all_of(groups.begin(), groups.end(), large_enough)) {
        out.kind = ConditionKind::multiway;
        out.branches = levels;
        out.branch_of_level.resize(levels);
        std::iota(out.branch_of_level.begin(), out.branch_of_level.end(), 0);
        settle(groups);
    }
    if (!direction) return;
    const double apart = absolute_loss_apart(view, known, missing);
    if (std::isinf(apart)) return;
    const double gain = absolute_gain(view, known, apart);
    if (out.valid() && !(gain > out.gain + tie(stats))) return;
    out.gain = gain;
    keep_apart(levels, out);
}

// The children of the best cut of the levels in the order of their medians. Empty: there is no cut.
template <typename P>
auto Evaluator<P>::divide_by_medians(const NodeView<Word>& view, const KnownRows& known,
                                     const std::vector<std::vector<Word>>& groups,
                                     const Holes& missing, Scratch<Word>& s, Candidate& out) const
    -> std::vector<std::vector<Word>> {
    const std::size_t levels = groups.size();
    std::vector<std::pair<double, std::size_t>> order(levels);
    for (std::size_t g = 0; g < levels; ++g) {
        // the lower weighted median
        std::vector<std::pair<std::uint32_t, double>> rank;
        double total = 0.0;
        for (const Word entry : groups[g]) {
            rank.emplace_back((*ranks)[Layout::row(entry)], P::weight(samples_, entry));
            total += rank.back().second;
        }
        std::sort(rank.begin(), rank.end());
        std::size_t at = 0;
        for (double sum = rank[0].second; sum < total / 2 && at + 1 < rank.size();
             sum += rank[at].second)
            ++at;
        order[g] = {view.sorted_targets[rank[at].first], g};
    }
    std::sort(order.begin(), order.end());
    s.reordered.clear();
    for (const auto& [median, g] : order) {
        bool first = true;
        for (const Word entry : groups[g]) {
            s.reordered.push_back((entry & static_cast<Word>(~Layout::fresh_bit)) |
                                  (first ? Layout::fresh_bit : Word{0}));
            first = false;
        }
    }
    const auto [position, loss] =
        best_absolute_cut(view, known, s.reordered.data(), s.reordered.size(), missing, -1, s);
    if (position == 0) return {};
    out.kind = ConditionKind::subset;
    out.branches = 2;
    out.branch_of_level.assign(levels, 1);
    std::size_t taken = 0;
    for (const auto& [median, g] : order) {
        if (taken >= position) break;
        out.branch_of_level[g] = 0;
        taken += groups[g].size();
    }
    if (out.branch_of_level[0] != 0) {
        for (auto& branch : out.branch_of_level) branch = 1 - branch;
    }
    std::vector<std::vector<Word>> children(2);
    for (std::size_t g = 0; g < levels; ++g) {
        auto& child = children[static_cast<std::size_t>(out.branch_of_level[g])];
        child.insert(child.end(), groups[g].begin(), groups[g].end());
    }
    return children;
}

}  // namespace ramify
