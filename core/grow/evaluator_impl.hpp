// The evaluator's code, included where a policy is instantiated.
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
auto Evaluator<P>::known_part(const NodeView<Word>& view, const Range& range, std::size_t c,
                              Scratch<Word>& s) const -> Known {
    const auto& node = *view.node;
    const Word* entries = node.block->columns[c].get() + range.begin;
    Known known;
    known.segment = {entries, range.size, range.below, false, nullptr, 0.0};
    known.sums = node.stats.sums.data();
    known.weight = node.stats.weight;
    known.support = node.stats.support;
    if (static_cast<std::int64_t>(range.size) == node.stats.rows) return known;

    const std::size_t width = samples_.width();
    s.known.assign(width, 0.0);
    s.rest.resize(width);
    double support = 0.0;
    for (std::size_t i = 0; i < range.size; ++i) {
        P::add(samples_, entries[i], s.known.data());
        support += P::fraction(samples_, entries[i]);
    }
    for (std::size_t j = 0; j < width; ++j) {
        s.rest[j] = node.stats.sums[j] - s.known[j];
        // Rounding must not leave a class that no such row has, nor less than nothing of it.
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
    return known;
}

template <typename P>
void Evaluator<P>::evaluate(const NodeView<Word>& view, Range& range, std::size_t c,
                            Scratch<Word>& s, Candidate& out) const {
    out.reset();
    if (range.constant) return;
    if (range.size > 4096) interrupt_.poll();
    if (range.coded) {
        // Counting costs a step per row and one per cell of the contingency table.
        if (coded_[c].values() * samples_.width() <= 2 * static_cast<std::size_t>(range.size)) {
            numeric_from_counts(view, range, c, s, out);
            return;
        }
        put_in_order(view, range, c, s);
    }
    const Column& column = problem_.table[c];
    const Known known = known_part(view, range, c, s);
    const Word* entries = known.segment.entries;
    const bool separate = known.missing && problem_.parameters.missing == Missing::separate;
    bool varies = known.segment.has_mode ? range.size > 0 : column.all_distinct && range.size > 1;
    for (std::size_t i = 1; i < range.size && !varies; ++i) varies = Layout::fresh(entries[i]);
    if (range.size == 0 || (!varies && !separate)) {
        range.constant = true;
        return;
    }
    const bool nominal_column = column.kind == Kind::nominal;
    if (absolute()) {
        if (nominal_column) {
            nominal_absolute(view, range, known, c, s, out);
        } else {
            numeric_absolute(view, known, c, s, out);
        }
    } else if (nominal_column) {
        nominal(view, range, known, s, out);
    } else {
        numeric(view, known, s, out);
    }
    if (out.valid() && known.missing && problem_.parameters.missing == Missing::fractional) {
        out.gain *= known.weight / view.node->stats.weight;
    }
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
        if constexpr (!P::weighted) {
            const Walk kind = problem_.criterion->walk();
            if (kind == Walk::gini && samples.classes == 2)
                return run(TwoClassGiniWalk<Layout>(total));
            if (kind == Walk::gini) return run(GiniWalk<Layout>(total, samples.classes, s.counts));
            if (kind == Walk::entropy) {
                return run(EntropyWalk<Layout>(total, samples.classes, *logs_, s.counts));
            }
        }
        return run(CriterionWalk<P>(total, samples, *problem_.criterion, s.sums));
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
void Evaluator<P>::numeric_from_counts(const NodeView<Word>& view, Range& range, std::size_t c,
                                       Scratch<Word>& s, Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const CodedColumn& coded = coded_[c];
    const Word* entries = view.node->block->columns[rows_column_].get() + range.begin;
    const std::size_t classes = std::max<std::size_t>(1, samples_.classes);
    s.histogram.assign(coded.values() * classes, 0);
    if constexpr (P::classification) {
        for (std::size_t i = 0; i < range.size; ++i) {
            ++s.histogram[coded.codes[Layout::row(entries[i])] * classes +
                          Layout::label(entries[i])];
        }
    } else {
        s.target_sums.assign(coded.values(), 0.0);
        for (std::size_t i = 0; i < range.size; ++i) {
            const std::uint32_t row = Layout::row(entries[i]);
            ++s.histogram[coded.codes[row]];
            s.target_sums[coded.codes[row]] += samples_.target[row];
        }
    }
    s.known.assign(samples_.width(), 0.0);
    std::size_t present = 0;
    const auto drive = [&](auto& walk) {
        std::optional<std::pair<std::size_t, std::size_t>> best;
        std::size_t last = 0;
        for (std::size_t code = 0; code < coded.values(); ++code) {
            const std::uint32_t* counts = s.histogram.data() + code * classes;
            std::uint32_t rows = 0;
            for (std::size_t j = 0; j < classes; ++j) rows += counts[j];
            if (rows == 0) continue;
            if (present++ > 0 && walk.better()) {
                walk.accept();
                best = {last, code};
            }
            for (std::size_t j = 0; j < classes; ++j) s.known[j] = static_cast<double>(counts[j]);
            if constexpr (!P::classification) s.known[1] = s.target_sums[code];
            walk.add_block(s.known.data(), static_cast<double>(rows));
            last = code;
        }
        return best;
    };
    const auto [cut, gain] = with_walk(
        total(stats.sums.data(), stats.weight, stats.support, stats.impurity), samples_, s, drive);
    range.constant = present < 2;
    if (!cut) return;
    out.kind = ConditionKind::threshold;
    out.gain = gain;
    out.counted = true;
    out.lower_code = static_cast<std::int32_t>(cut->first);
    out.upper_code = static_cast<std::int32_t>(cut->second);
}

template <typename P>
void Evaluator<P>::put_in_order(const NodeView<Word>& view, Range& range, std::size_t c,
                                Scratch<Word>& s) const {
    const CodedColumn& coded = coded_[c];
    const Word* from = view.node->block->columns[rows_column_].get() + range.begin;
    Word* to = view.node->block->columns[c].get() + range.begin;
    s.histogram.assign(coded.values() + 1, 0);
    for (std::size_t i = 0; i < range.size; ++i)
        ++s.histogram[coded.codes[Layout::row(from[i])] + 1u];
    for (std::size_t code = 0; code < coded.values(); ++code)
        s.histogram[code + 1] += s.histogram[code];
    for (std::size_t i = 0; i < range.size; ++i) {
        const Word entry = from[i] & static_cast<Word>(~Layout::fresh_bit);
        to[s.histogram[coded.codes[Layout::row(entry)]]++] = entry;
    }
    // Each counter now stands at the end of its value, where the next one begins.
    to[0] |= Layout::fresh_bit;
    for (std::size_t code = 0; code < coded.values(); ++code) {
        if (s.histogram[code] < range.size) to[s.histogram[code]] |= Layout::fresh_bit;
    }
    range.coded = false;
}

template <typename P>
void Evaluator<P>::numeric(const NodeView<Word>& view, const Known& known, Scratch<Word>& s,
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
        offer(walk(known.segment, total(known.sums, known.weight, known.support, stats.impurity),
                   nullptr, 0.0, s),
              -1);
        return;
    }
    if (problem_.parameters.missing == Missing::fractional) {
        offer(walk(known.segment,
                   total(known.sums, known.weight, known.support, impurity(known.sums)), nullptr,
                   0.0, s),
              -1);
        return;
    }
    const WalkTotal all = total(stats.sums.data(), stats.weight, stats.support, stats.impurity);
    const double missing_support = stats.support - known.support;
    offer(walk(known.segment, all, s.rest.data(), missing_support, s), 0);
    offer(walk(known.segment, all, nullptr, 0.0, s), 1);
    const double least = problem_.parameters.min_samples_leaf - 1e-9;
    if (problem_.parameters.missing == Missing::separate && known.support >= least &&
        missing_support >= least) {
        s.children.assign(known.sums, known.sums + samples_.width());
        s.children.insert(s.children.end(), s.rest.begin(), s.rest.end());
        const double gain = score(stats.sums.data(), s.children.data(), 2);
        offer({Boundary{known.segment.size, false}, gain}, 1);
        out.known_only = out.valid() && out.boundary.position == known.segment.size;
    }
}

template <typename P>
void Evaluator<P>::nominal(const NodeView<Word>& view, const Range& range, const Known& known,
                           Scratch<Word>& s, Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const std::size_t width = samples_.width();
    s.level_sums.clear();
    s.level_support.clear();
    for_each_value(known.segment.entries, range, known.segment.has_mode,
                   [&](std::size_t begin, std::size_t end, bool mode) {
                       const std::size_t at = s.level_sums.size();
                       s.level_sums.resize(at + width, 0.0);
                       if (mode) {
                           std::copy(s.rest.begin(), s.rest.end(),
                                     s.level_sums.begin() + static_cast<std::ptrdiff_t>(at));
                           s.level_support.push_back(known.segment.mode_support);
                           return;
                       }
                       double support = 0.0;
                       for (std::size_t i = begin; i < end; ++i) {
                           P::add(samples_, known.segment.entries[i], s.level_sums.data() + at);
                           support += P::fraction(samples_, known.segment.entries[i]);
                       }
                       s.level_support.push_back(support);
                   });
    const bool missing_level = known.missing && problem_.parameters.missing == Missing::separate;
    if (missing_level) {
        s.level_sums.insert(s.level_sums.end(), s.rest.begin(), s.rest.end());
        s.level_support.push_back(stats.support - known.support);
    }
    const std::size_t levels = s.level_support.size();
    const double* sums = missing_level ? stats.sums.data() : known.sums;
    if (problem_.parameters.multiway) {
        multiway(view, known, levels, missing_level, s, out);
        return;
    }
    std::optional<NominalSplit> split;
    if constexpr (P::classification) {
        const Contingency table{levels,
                                width,
                                s.level_sums.data(),
                                s.level_support.data(),
                                sums,
                                problem_.parameters.min_samples_leaf,
                                &interrupt_};
        split = problem_.nominal->split(table, *problem_.criterion);
    } else {
        split = split_by_means(levels, s.level_sums.data(), s.level_support.data(),
                               problem_.parameters.min_samples_leaf);
    }
    if (!split) return;
    out.kind = ConditionKind::subset;
    out.gain = split->score;
    out.branches = 2;
    out.branch_of_level.assign(split->right.begin(), split->right.end());
    if (missing_level) {
        out.missing_to = out.branch_of_level.back();
        out.branch_of_level.pop_back();
    } else if (known.missing && problem_.parameters.missing == Missing::direction) {
        place_missing(view, levels, s, out);
    }
}

// All missing rows go to the branch where the split scores best with them.
template <typename P>
void Evaluator<P>::place_missing(const NodeView<Word>& view, std::size_t levels, Scratch<Word>& s,
                                 Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const std::size_t width = samples_.width();
    s.children.assign(out.branches * width, 0.0);
    for (std::size_t l = 0; l < levels; ++l) {
        const auto branch = static_cast<std::size_t>(out.branch_of_level[l]);
        for (std::size_t j = 0; j < width; ++j)
            s.children[branch * width + j] += s.level_sums[l * width + j];
    }
    // With very many branches only the heaviest is tried: a score of all of them costs as much as
    // there are.
    constexpr std::size_t most_branches = 256;
    std::size_t heaviest = 0;
    for (std::size_t b = 1; b < out.branches; ++b) {
        if (weight_of(s.children.data() + b * width) >
            weight_of(s.children.data() + heaviest * width))
            heaviest = b;
    }
    out.missing_to = -1;
    for (std::size_t b = 0; b < out.branches; ++b) {
        if (out.branches > most_branches && b != heaviest) continue;
        double* child = s.children.data() + b * width;
        s.sums.assign(child, child + width);
        for (std::size_t j = 0; j < width; ++j) child[j] += s.rest[j];
        const double gain = score(stats.sums.data(), s.children.data(), out.branches);
        std::copy(s.sums.begin(), s.sums.end(), child);
        if (out.missing_to < 0 || gain > out.gain + tie(stats)) {
            out.gain = gain;
            out.missing_to = static_cast<std::int32_t>(b);
        }
    }
}

template <typename P>
void Evaluator<P>::multiway(const NodeView<Word>& view, const Known& known, std::size_t levels,
                            bool missing_level, Scratch<Word>& s, Candidate& out) const {
    if (levels < 2) return;
    const double least = problem_.parameters.min_samples_leaf - 1e-9;
    if (std::any_of(s.level_support.begin(), s.level_support.end(),
                    [&](double support) { return support < least; })) {
        return;
    }
    const double* sums = missing_level ? view.node->stats.sums.data() : known.sums;
    out.kind = ConditionKind::multiway;
    out.gain = score(sums, s.level_sums.data(), levels);
    out.branches = levels;
    out.branch_of_level.resize(levels);
    std::iota(out.branch_of_level.begin(), out.branch_of_level.end(), 0);
    if (missing_level) {
        out.missing_to = out.branch_of_level.back();
        out.branch_of_level.pop_back();
    } else if (known.missing && problem_.parameters.missing == Missing::direction) {
        place_missing(view, levels, s, out);
    }
}

// --- absolute error
// -------------------------------------------------------------------------------------------

template <typename P>
void Evaluator<P>::prepare_absolute(NodeView<Word>& view,
                                    std::vector<std::uint32_t>& all_ranks) const {
    const auto& node = *view.node;
    const Range& range = node.ranges[rows_column_];
    const Word* entries = node.block->columns[rows_column_].get() + range.begin;
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
double Evaluator<P>::absolute_loss(const NodeView<Word>& view,
                                   const std::vector<Word>& entries) const {
    if (entries.empty()) return 0.0;
    MedianSums sums(view.sorted_targets);
    std::size_t added = 0;
    for (const Word entry : entries) {
        if (++added % 4096 == 0) interrupt_.poll();
        sums.add((*ranks)[Layout::row(entry)], P::weight(samples_, entry));
    }
    return sums.loss();
}

template <typename P>
auto Evaluator<P>::missing_entries(const NodeView<Word>& view, const Known& known) const
    -> std::vector<Word> {
    std::vector<Word> missing;
    if (!known.missing) return missing;
    const auto& node = *view.node;
    std::vector<bool> has(view.sorted_targets.size(), false);
    for (std::size_t i = 0; i < known.segment.size; ++i) {
        has[(*ranks)[Layout::row(known.segment.entries[i])]] = true;
    }
    const Range& range = node.ranges[rows_column_];
    const Word* entries = node.block->columns[rows_column_].get() + range.begin;
    for (std::size_t i = 0; i < range.size; ++i) {
        if (!has[(*ranks)[Layout::row(entries[i])]]) missing.push_back(entries[i]);
    }
    return missing;
}

// The cut of a sequence that leaves the least loss, and that loss; position 0: there is none.
template <typename P>
std::pair<std::size_t, double> Evaluator<P>::best_absolute_cut(
    const NodeView<Word>& view, const Word* entries, std::size_t size,
    const std::vector<Word>& missing, bool missing_left, Scratch<Word>& s) const {
    MedianSums sums(view.sorted_targets);
    std::size_t added = 0;
    const auto add = [&](Word entry) {
        if (++added % 4096 == 0) interrupt_.poll();
        sums.add((*ranks)[Layout::row(entry)], P::weight(samples_, entry));
        return P::fraction(samples_, entry);
    };
    const double least = problem_.parameters.min_samples_leaf - 1e-9;
    const double never = std::numeric_limits<double>::infinity();
    s.left_loss.assign(size, never);
    double support = 0.0;
    if (missing_left) {
        for (const Word entry : missing) support += add(entry);
    }
    for (std::size_t i = 0; i < size; ++i) {
        if (i > 0 && Layout::fresh(entries[i]) && support >= least) s.left_loss[i] = sums.loss();
        support += add(entries[i]);
    }
    sums.clear();
    support = 0.0;
    if (!missing_left) {
        for (const Word entry : missing) support += add(entry);
    }
    for (std::size_t i = size; i-- > 1;) {
        support += add(entries[i]);
        if (s.left_loss[i] != never) s.left_loss[i] += support >= least ? sums.loss() : never;
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

template <typename P>
void Evaluator<P>::numeric_absolute(const NodeView<Word>& view, const Known& known, std::size_t,
                                    Scratch<Word>& s, Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const Missing policy = problem_.parameters.missing;
    std::vector<Word> missing = missing_entries(view, known);
    double node_loss = view.loss;
    if (known.missing && policy == Missing::fractional) {
        node_loss = absolute_loss(
            view,
            std::vector<Word>(known.segment.entries, known.segment.entries + known.segment.size));
        missing.clear();
    }
    const double weight = policy == Missing::fractional ? known.weight : stats.weight;
    const auto offer = [&](std::size_t position, double loss, std::int32_t missing_to) {
        const double gain = std::max(0.0, (node_loss - loss) / weight);
        if (position == 0 || !(gain > out.gain + (out.valid() ? tie(stats) : 0.0))) return;
        out.kind = ConditionKind::threshold;
        out.gain = gain;
        out.boundary = Boundary{position, false};
        out.missing_to = missing_to;
    };
    if (missing.empty()) {
        const auto [position, loss] =
            best_absolute_cut(view, known.segment.entries, known.segment.size, missing, false, s);
        offer(position, loss, -1);
        return;
    }
    for (const bool left : {true, false}) {
        const auto [position, loss] =
            best_absolute_cut(view, known.segment.entries, known.segment.size, missing, left, s);
        offer(position, loss, left ? 0 : 1);
    }
    const double least = problem_.parameters.min_samples_leaf - 1e-9;
    if (policy == Missing::separate && known.support >= least &&
        stats.support - known.support >= least) {
        const double loss =
            absolute_loss(view, missing) +
            absolute_loss(view, std::vector<Word>(known.segment.entries,
                                                  known.segment.entries + known.segment.size));
        offer(known.segment.size, loss, 1);
        out.known_only = out.valid() && out.boundary.position == known.segment.size;
    }
}

// Levels in the order of their medians, then as a threshold: a heuristic, since no order is sure to
// hold the best cut.
template <typename P>
void Evaluator<P>::nominal_absolute(const NodeView<Word>& view, const Range& range,
                                    const Known& known, std::size_t, Scratch<Word>& s,
                                    Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const Missing policy = problem_.parameters.missing;
    const Word* entries = known.segment.entries;
    std::vector<std::vector<Word>> groups;
    for_each_value(entries, range, false, [&](std::size_t begin, std::size_t end, bool) {
        groups.emplace_back(entries + begin, entries + end);
    });
    std::vector<Word> missing = missing_entries(view, known);
    const bool missing_level = policy == Missing::separate && !missing.empty();
    if (missing_level) groups.push_back(missing);
    double node_loss = view.loss;
    if (known.missing && policy == Missing::fractional) {
        node_loss = absolute_loss(view, std::vector<Word>(entries, entries + known.segment.size));
    }
    const double weight = policy == Missing::fractional ? known.weight : stats.weight;
    const double least = problem_.parameters.min_samples_leaf - 1e-9;
    const std::size_t levels = groups.size();
    const bool direction = policy == Missing::direction && !missing.empty();

    const auto settle = [&](std::vector<std::vector<Word>> children) {
        double loss = 0.0;
        std::vector<double> own(children.size());
        for (std::size_t b = 0; b < children.size(); ++b)
            loss += own[b] = absolute_loss(view, children[b]);
        double best = loss;
        if (direction) {
            best = std::numeric_limits<double>::infinity();
            for (std::size_t b = 0; b < children.size(); ++b) {
                std::vector<Word> with = children[b];
                with.insert(with.end(), missing.begin(), missing.end());
                const double total = loss - own[b] + absolute_loss(view, with);
                if (total < best - tie_tolerance * view.loss) {
                    best = total;
                    out.missing_to = static_cast<std::int32_t>(b);
                }
            }
        }
        out.gain = std::max(0.0, (node_loss - best) / weight);
        if (missing_level) {
            out.missing_to = out.branch_of_level.back();
            out.branch_of_level.pop_back();
        }
    };
    if (problem_.parameters.multiway) {
        if (levels < 2) return;
        for (const auto& group : groups) {
            double support = 0.0;
            for (const Word entry : group) support += P::fraction(samples_, entry);
            if (support < least) return;
        }
        out.kind = ConditionKind::multiway;
        out.branches = levels;
        out.branch_of_level.resize(levels);
        std::iota(out.branch_of_level.begin(), out.branch_of_level.end(), 0);
        settle(groups);
        return;
    }
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
        best_absolute_cut(view, s.reordered.data(), s.reordered.size(), {}, false, s);
    if (position == 0) return;
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
    settle(std::move(children));
}

// --- for the tree
// ----------------------------------------------------------------------------------------------

template <typename P>
std::vector<std::pair<std::int32_t, std::int32_t>> Evaluator<P>::levels(
    const OpenNode<Word>& node, std::size_t c, const Candidate& candidate) const {
    std::vector<std::pair<std::int32_t, std::int32_t>> result;
    if (candidate.kind == ConditionKind::threshold) return result;
    const Column& column = problem_.table[c];
    const Range& range = node.ranges[c];
    const Word* entries = node.block->columns[c].get() + range.begin;
    const bool mode_present = hidden_[c] && static_cast<std::int64_t>(range.size) < node.stats.rows;
    for_each_value(entries, range, mode_present, [&](std::size_t begin, std::size_t, bool mode) {
        // A sample's own column cell tells its level; spread samples share that of their row.
        const std::size_t row = mode ? column.mode_row : source_row(Layout::row(entries[begin]));
        result.emplace_back(column.codes[row], candidate.branch_of_level[result.size()]);
    });
    return result;
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
    const Word* entries = node.block->columns[c].get() + range.begin;
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
