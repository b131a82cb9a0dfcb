// Nominal columns: the contingency table of a node, divided in two or into one branch per level.
// Invariant: that of evaluator.hpp. Included where a policy is instantiated.
#pragma once

#include "grow/evaluator.hpp"
#include "support/sums.hpp"

namespace ramify {

// Writes the contingency table of the values present at the node to level_sums and level_support.
template <typename P>
void Evaluator<P>::sum_levels(const Range& range, const KnownRows& known, Scratch<Word>& s) const {
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
                           support += P::support(samples_, known.segment.entries[i]);
                       }
                       s.level_support.push_back(support);
                   });
}

// The same from the counts of a coded column. Without counts, the rows are counted. Gives what
// known_part() gives for other columns.
template <typename P>
auto Evaluator<P>::sum_counts(const NodeView<Word>& view, std::size_t c, Scratch<Word>& s,
                              const Cell* counts) const -> KnownRows {
    const std::size_t width = samples_.width();
    const std::size_t cells = stride();
    counts = counted(view, c, s, counts);
    const std::size_t values = coded_[c].values();
    s.level_sums.resize(values * width);
    s.level_support.resize(values);
    s.level_codes.resize(values);
    std::size_t levels = 0;
    for (std::size_t code = 0; code < values; ++code) {
        const Cell* of_code = counts + code * cells;
        const Cell rows = rows_of(of_code);
        if (!(rows > 0)) continue;
        for (std::size_t j = 0; j < width; ++j)
            s.level_sums[levels * width + j] = static_cast<double>(of_code[j]);
        s.level_support[levels] = static_cast<double>(rows);
        s.level_codes[levels++] = static_cast<std::int32_t>(code);
    }
    s.level_sums.resize(levels * width);
    s.level_support.resize(levels);
    s.level_codes.resize(levels);
    KnownRows known = whole(view);
    const Cell* of_holes = counts + coded_[c].values() * cells;
    if (!coded_[c].holes || !(rows_of(of_holes) > 0)) return known;
    s.rest.assign(of_holes, of_holes + width);
    s.known.assign(width, 0.0);
    for (std::size_t l = 0; l < s.level_support.size(); ++l) {
        for (std::size_t j = 0; j < width; ++j) s.known[j] += s.level_sums[l * width + j];
    }
    known.missing = true;
    known.sums = s.known.data();
    known.weight = weight_of(known.sums);
    known.support = sum_of(s.level_support.data(), s.level_support.size());
    known.least = least_known(view, c, known.support);
    return known;
}

// The best split of a coded column, from the sums of its levels.
template <typename P>
void Evaluator<P>::nominal_counted(const NodeView<Word>& view, const Range& range,
                                   const KnownRows& known, std::size_t c, Scratch<Word>& s,
                                   Candidate& out) const {
    nominal(view, known, c, s, out);
    if (!out.valid()) return;
    out.counted = true;
    out.partial = known.missing;
    out.level_codes = s.level_codes;
    if (by_information()) weigh_candidate(view, range, known, s, out);
    if (out.valid()) discount(view, known, out);
}

template <typename P>
void Evaluator<P>::nominal(const NodeView<Word>& view, const KnownRows& known, std::size_t c,
                           Scratch<Word>& s, Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const bool missing_level = known.missing && problem_.parameters.missing == Missing::separate;
    if (missing_level) {
        s.level_sums.insert(s.level_sums.end(), s.rest.begin(), s.rest.end());
        s.level_support.push_back(stats.support - known.support);
    }
    const std::size_t levels = s.level_support.size();
    const bool whole = missing_level || combines(known);
    const double* sums = whole ? stats.sums.data() : known.sums;
    // Rows with holes that are divided among the levels are thereby divided among the two sides.
    const bool two = !problem_.parameters.multiway;
    if (two && combines(known)) divide_rest(s.level_sums.data(), levels, known, s);
    if (!two) {
        multiway(view, known, sums, missing_level, c, s, out);
    } else if (!out_of_reach(view, known, sums, s)) {
        binary(view, known, sums, missing_level, s, out);
    } else {
        return;
    }
    // Where levels are merged, only tests separate rows.
    if (known.missing && problem_.parameters.missing == Missing::direction &&
        !problem_.parameters.merges())
        set_missing_apart(view, known, levels, s, out);
}

template <typename P>
void Evaluator<P>::binary(const NodeView<Word>& view, const KnownRows& known, const double* sums,
                          bool missing_level, Scratch<Word>& s, Candidate& out) const {
    const std::size_t width = samples_.width();
    const std::size_t levels = s.level_support.size();
    if (levels < 2) return;
    FoundSplit split;
    if constexpr (P::classification) {
        s.level_weight.resize(levels);
        for (std::size_t i = 0; i < levels; ++i) {
            s.level_weight[i] = sum_of(s.level_sums.data() + i * width, width);
        }
        const Contingency table{
            levels, width,       s.level_sums.data(), s.level_support.data(), s.level_weight.data(),
            sums,   known.least, &interrupt_};
        split = problem_.nominal->split(table, *problem_.criterion);
    } else {
        const double* sums_of = s.level_sums.data();
        const double* support = s.level_support.data();
        split = problem_.parameters.exact_levels
                    ? split_means_exactly(levels, sums_of, support, known.least, interrupt_)
                    : split_by_means(levels, sums_of, support, known.least);
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

// Whether no division of the levels can reach the gain of another column. Where the impurity is
// concave, no division gains more than a branch for every level. This is asked only where rows are
// counted: with targets or weights of very different sizes, rounding would make the two gains
// differ.
template <typename P>
bool Evaluator<P>::out_of_reach(const NodeView<Word>& view, const KnownRows& known,
                                const double* sums, Scratch<Word>& s) const {
    if constexpr (P::classification) {
        if (!std::isfinite(view.floor) || (P::weighted && !samples_.equal_weights)) return false;
        const Criterion& criterion = *problem_.criterion;
        if (!criterion.drop_of_impurity() || !criterion.separable(samples_.classes)) return false;
        const NodeStats& stats = view.node->stats;
        const std::size_t levels = s.level_support.size();
        // At almost pure nodes, the rounding of entropies exceeds the tolerance of ties.
        constexpr double rounding = 1e-13;
        if (known.missing && problem_.parameters.missing == Missing::direction) {
            // The missing rows can at best be a branch of their own, too.
            const std::size_t size = s.level_sums.size();
            s.level_sums.insert(s.level_sums.end(), s.rest.begin(), s.rest.end());
            const double most = score(stats.sums.data(), s.level_sums.data(), levels + 1);
            s.level_sums.resize(size);
            return most + rounding <= view.floor;
        }
        return counting_share(view, known) * score(sums, s.level_sums.data(), levels) + rounding <=
               view.floor;
    }
    return false;
}

// Sends all missing rows to the branch where the split scores best with them.
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
    // With very many branches only the heaviest is tried, because each score takes time in
    // proportion to their number.
    constexpr std::size_t most_branches = 256;
    std::size_t heaviest = 0;
    for (std::size_t b = 1; b < out.branches; ++b) {
        if (weight_of(s.children.data() + b * width) >
            weight_of(s.children.data() + heaviest * width))
            heaviest = b;
    }
    out.missing_to = -1;
    double highest = 0.0;
    for (std::size_t b = 0; b < out.branches; ++b) {
        if (out.branches > most_branches && b != heaviest) continue;
        double* child = s.children.data() + b * width;
        s.sums.assign(child, child + width);
        for (std::size_t j = 0; j < width; ++j) child[j] += s.rest[j];
        const double gain = score(stats.sums.data(), s.children.data(), out.branches);
        std::copy(s.sums.begin(), s.sums.end(), child);
        if (out.missing_to < 0 || gain > highest + tie(stats)) {
            highest = gain;
            out.missing_to = static_cast<std::int32_t>(b);
        }
    }
    // A score that adds up pairs of levels does not follow from the sums of the two sides. It stays
    // as found on the known rows.
    bool sums_suffice = true;
    if constexpr (P::classification) sums_suffice = problem_.criterion->sums_suffice();
    if (sums_suffice) out.gain = highest;
}

// Tries all known values against the missing ones, if that is better than what was found.
template <typename P>
void Evaluator<P>::set_missing_apart(const NodeView<Word>& view, const KnownRows& known,
                                     std::size_t levels, Scratch<Word>& s, Candidate& out) const {
    const NodeStats& stats = view.node->stats;
    const double least = known.least - 1e-9;
    if (known.support < least || stats.support - known.support < least) return;
    s.children.assign(known.sums, known.sums + samples_.width());
    s.children.insert(s.children.end(), s.rest.begin(), s.rest.end());
    const double gain = score(stats.sums.data(), s.children.data(), 2);
    if (out.valid() && !(gain > out.gain + tie(stats))) return;
    out.gain = gain;
    keep_apart(levels, out);
}

template <typename P>
void Evaluator<P>::multiway(const NodeView<Word>& view, const KnownRows& known, const double* sums,
                            bool missing_level, std::size_t c, Scratch<Word>& s,
                            Candidate& out) const {
    const std::size_t levels = s.level_support.size();
    if (levels < 2) return;
    if (problem_.parameters.merges()) {
        merge(view, known, missing_level, c, s, out);
    } else {
        out.branches = levels;
        out.branch_of_level.resize(levels);
        std::iota(out.branch_of_level.begin(), out.branch_of_level.end(), 0);
    }
    const std::size_t width = samples_.width();
    s.children.assign(out.branches * width, 0.0);
    std::vector<double> support(out.branches, 0.0);
    for (std::size_t l = 0; l < levels; ++l) {
        const auto branch = static_cast<std::size_t>(out.branch_of_level[l]);
        for (std::size_t j = 0; j < width; ++j)
            s.children[branch * width + j] += s.level_sums[l * width + j];
        support[branch] += s.level_support[l];
    }
    if (combines(known)) divide_rest(s.children.data(), out.branches, known, s);
    const double least = known.least - 1e-9;
    const auto large =
        std::count_if(support.begin(), support.end(), [&](double rows) { return rows >= least; });
    const std::size_t needed = problem_.parameters.small_branches ? 2 : out.branches;
    if (out.branches < 2 || static_cast<std::size_t>(large) < needed) return;
    out.kind = ConditionKind::multiway;
    out.gain = score(sums, s.children.data(), out.branches);
    if (missing_level) {
        out.missing_to = out.branch_of_level.back();
        out.branch_of_level.pop_back();
    } else if (known.missing && problem_.parameters.missing == Missing::direction) {
        place_missing(view, levels, s, out);
    }
}

}  // namespace ramify
