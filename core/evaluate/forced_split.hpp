// The split that a skeleton demands at a node. Invariant: it sends every row as the condition of
// the skeleton says; a branch without rows is left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "evaluate/rank_search.hpp"

namespace ramify {

template <Target P>
class ForcedSplit {
  public:
    using Word = typename P::Word;

    ForcedSplit(const Context<P>& context, const MissingRules<P>& missing,
                const RankSearch<P>& ranks)
        : context_(context), missing_(missing), ranks_(ranks) {}

    // Gives the branches of the condition that have rows. If there are fewer than two, there is no
    // split.
    template <typename Form>
    std::vector<std::int32_t> make(const NodeView<Word>& view, const Form& form,
                                   const SkeletonNode& asked, Workspace<Word>& s,
                                   Candidate& out) const {
        const auto c = static_cast<std::size_t>(asked.attribute);
        if (asked.kind == ConditionKind::threshold) {
            cut(form, asked, out);
        } else {
            divide(form, context_.problem.table[c], asked, out);
        }
        Sums sums = sum(view, form, asked, s, out);
        std::vector<std::int32_t> kept;
        for (std::size_t b = 0; b < sums.rows.size(); ++b) {
            if (sums.rows[b] > 0) kept.push_back(static_cast<std::int32_t>(b));
        }
        if (kept.size() < 2) {
            out.reset();
            return kept;
        }
        leave_out_others(kept, sums, asked, s, out);
        if (context_.by_ranks()) {
            ranks_.weigh(view, sums.entries, s, out);
        } else {
            weigh(view.node->stats, s, out);
        }
        missing_.discount(view.node->stats, s.known, out);
        out.gain -= context_.baseline(view.node->stats);
        if (!(out.gain > 0.0) || std::isinf(out.gain)) out.gain = 0.0;
        return kept;
    }

  private:
    // Of every branch. Its sums are in the workspace.
    struct Sums {
        std::vector<std::int64_t> rows;
        std::vector<std::vector<Word>> entries;  // only for a criterion by ranks
    };

    void cut(const OrderedForm<P>& form, const SkeletonNode& asked, Candidate& out) const {
        out.kind = ConditionKind::threshold;
        out.boundary = form.cut_at(asked.threshold);
    }
    void cut(const CodedForm<P>& form, const SkeletonNode& asked, Candidate& out) const {
        out.kind = ConditionKind::threshold;
        out.counted = true;
        out.lower_code = form.last_at_most(asked.threshold);
        out.upper_code = out.lower_code + 1;
    }
    void divide(const OrderedForm<P>& form, const Column& column, const SkeletonNode& asked,
                Candidate& out) const {
        out.kind = asked.kind;
        out.branch_of_level.clear();
        form.for_each_level([&](std::size_t row) {
            const auto code = static_cast<std::size_t>(column.codes[row]);
            out.branch_of_level.push_back(asked.branch_of_code[code]);
        });
    }
    void divide(const CodedForm<P>& form, const Column&, const SkeletonNode& asked,
                Candidate& out) const {
        out.kind = asked.kind;
        out.counted = true;
        out.partial = form.has_holes();
        out.branch_of_level.clear();
        out.level_codes.clear();
        for (std::size_t code = 0; code < form.codes().values(); ++code) {
            if (!(form.rows_of(code) > 0)) continue;
            const std::int32_t level = form.level(static_cast<std::int32_t>(code));
            out.level_codes.push_back(static_cast<std::int32_t>(code));
            out.branch_of_level.push_back(asked.branch_of_code[static_cast<std::size_t>(level)]);
        }
    }

    // Adds up the branches, and the rows without a value if the condition has a branch for them.
    template <typename Form>
    Sums sum(const NodeView<Word>& view, const Form& form, const SkeletonNode& asked,
             Workspace<Word>& s, const Candidate& out) const {
        const OpenNode<Word>& node = *view.node;
        const NodeStats& stats = node.stats;
        const auto c = static_cast<std::size_t>(asked.attribute);
        const std::size_t width = context_.samples.width();
        const std::size_t count = asked.children.size();
        Sums sums{std::vector<std::int64_t>(count, 0), {}};
        if (context_.by_ranks()) sums.entries.resize(count);
        s.branches.assign(count * width, 0.0);
        std::int64_t known = 0;
        double support = 0.0;
        const auto add = [&](std::size_t branch, const std::vector<double>& more) {
            for (std::size_t j = 0; j < width; ++j) s.branches[branch * width + j] += more[j];
        };
        const auto put = [&](Word entry, std::size_t branch) {
            P::add(context_.samples, entry, s.branches.data() + branch * width);
            support += P::support(context_.samples, entry);
            ++sums.rows[branch];
            ++known;
            if (context_.by_ranks()) sums.entries[branch].push_back(entry);
        };
        if constexpr (std::is_same_v<Form, OrderedForm<P>>) {
            missing_.find_known(node, c, s.known);
            const std::size_t of_mode = form.send(out, put);
            if (form.has_mode()) {
                sums.rows[of_mode] += stats.rows - known;
                add(of_mode, s.known.rest);
            }
        } else {
            form.send(out, put);
            missing_.all_known(node, s.known);
            if (out.partial) {
                s.known.own.assign(width, 0.0);
                for (std::size_t i = 0; i < count * width; ++i)
                    s.known.own[i % width] += s.branches[i];
                s.known.rest.resize(width);
                for (std::size_t j = 0; j < width; ++j)
                    s.known.rest[j] = stats.sums[j] - s.known.own[j];
                missing_.some_known(node, c, support, s.known);
            }
        }
        if (s.known.missing && asked.missing_to >= 0) {
            const auto to = static_cast<std::size_t>(asked.missing_to);
            sums.rows[to] += stats.rows - known;
            add(to, s.known.rest);
            if (context_.by_ranks()) {
                for (const Word entry : context_.cells.rows(node)) {
                    if (context_.problem.table[c].missing(
                            context_.samples.source_row(P::Layout::row(entry))))
                        sums.entries[to].push_back(entry);
                }
            }
            missing_.all_known(node, s.known);  // each has its branch
        }
        return sums;
    }

    void leave_out_others(const std::vector<std::int32_t>& kept, Sums& sums,
                          const SkeletonNode& asked, Workspace<Word>& s, Candidate& out) const {
        const std::size_t width = context_.samples.width();
        std::vector<std::int32_t> number(sums.rows.size(), -1);
        for (std::size_t b = 0; b < kept.size(); ++b) {
            const auto from = static_cast<std::size_t>(kept[b]);
            number[from] = static_cast<std::int32_t>(b);
            std::copy_n(s.branches.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                        s.branches.begin() + static_cast<std::ptrdiff_t>(b * width));
            if (context_.by_ranks() && from != b) sums.entries[b] = std::move(sums.entries[from]);
        }
        out.branches = kept.size();
        s.branches.resize(out.branches * width);
        if (context_.by_ranks()) sums.entries.resize(out.branches);
        if (out.kind != ConditionKind::threshold) {
            for (std::int32_t& branch : out.branch_of_level)
                branch = number[static_cast<std::size_t>(branch)];
        }
        out.missing_to =
            asked.missing_to < 0 ? -1 : number[static_cast<std::size_t>(asked.missing_to)];
    }

    // The gain of the branches. Rows without a value are divided, or go where they gain most.
    void weigh(const NodeStats& stats, Workspace<Word>& s, Candidate& out) const {
        const Criterion& criterion = context_.criterion;
        const std::size_t width = context_.samples.width();
        const auto score = [&](const double* node) {
            if (criterion.binary_only() && out.branches > 2) return 0.0;  // it has no score
            return criterion.score({node, s.branches.data(), out.branches, width});
        };
        if (!s.known.missing) {
            out.gain = score(stats.sums.data());
        } else if (missing_.combines(s.known)) {
            missing_.divide_rest(s.branches.data(), out.branches, s.known);
            out.gain = score(stats.sums.data());
        } else if (missing_.fractional()) {
            out.gain = score(s.known.sums);
        } else {
            out.gain = -std::numeric_limits<double>::infinity();
            const std::vector<double> without = s.branches;
            for (std::size_t b = 0; b < out.branches; ++b) {
                s.branches = without;
                for (std::size_t j = 0; j < width; ++j)
                    s.branches[b * width + j] += s.known.rest[j];
                const double gain = score(stats.sums.data());
                if (out.missing_to >= 0 && !(gain > out.gain + tie_of(stats))) continue;
                out.gain = gain;
                out.missing_to = static_cast<std::int32_t>(b);
            }
        }
    }

    const Context<P>& context_;
    const MissingRules<P>& missing_;
    const RankSearch<P>& ranks_;
};

}  // namespace ramify
