// Expansion of one node: which row goes where, and the sums of the children. Invariant: that of
// grower.hpp. Included where a policy is instantiated.
#pragma once

#include <algorithm>
#include <array>

#include "grow/grower.hpp"

namespace ramify {

template <typename P>
auto Grower<P>::expand(Worker& worker, Node& node) -> std::vector<NodePointer> {
    write_condition(worker, node);
    const std::size_t branches = node.best.branches;
    if (worker.stats.size() < branches) worker.stats.resize(branches);
    for (std::size_t b = 0; b < branches; ++b) worker.stats[b].clear(samples_.width());
    worker.known_weight.assign(branches, 0.0);
    bool spreads = false;
    mark(node, worker, spreads);
    collect_members(node, worker, spreads);
    double known = 0.0;
    for (const double weight : worker.known_weight) known += weight;

    std::vector<NodePointer> children;
    children.reserve(branches);
    bool any = false;
    for (std::size_t b = 0; b < branches; ++b) {
        NodeStats& stats = worker.stats[b];
        if (b % 64 == 63) interrupt_.poll();
        finish_stats(stats, worker.members[b]);
        const std::int32_t id =
            worker.builder.add(stats, node.id, node.depth + 1, worker.known_weight[b] / known);
        if (b == 0) worker.builder.set_children(node.id, id, branches);
        if (!may_split(stats, node.depth + 1)) {
            children.push_back(nullptr);
            continue;
        }
        any = true;
        NodePointer child = fresh_node(worker);
        child->id = id;
        child->depth = node.depth + 1;
        child->first = node.first;
        if (renumbers(node) && b == 1) {
            child->first += static_cast<std::uint32_t>(node.best.boundary.position);
        }
        child->ranges.assign(node.ranges.size(), {});
        child->counts.clear();
        std::swap(child->stats, stats);
        children.push_back(std::move(child));
    }
    if (!any) {
        children.clear();
        return children;
    }
    distribute(worker, node, spreads, children);
    std::erase_if(children, [](const NodePointer& child) { return child == nullptr; });
    std::vector<NodePointer> splittable;
    if (spreads && branches == 2) evaluate(worker, children, &node);
    if (branches > 2) {
        // Many children are evaluated one at a time, so that one node's candidates take all the
        // memory.
        for (auto& child : children) {
            interrupt_.poll();
            std::vector<NodePointer> one;
            one.push_back(std::move(child));
            evaluate(worker, one);
            if (choose(worker, *one[0], 0)) splittable.push_back(std::move(one[0]));
        }
        return splittable;
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (choose(worker, *children[i], i)) {
            splittable.push_back(std::move(children[i]));
        } else {
            worker.spare.push_back(std::move(children[i]));
        }
    }
    return splittable;
}

template <typename P>
void Grower<P>::mark(const Node& node, Worker& worker, bool& spreads) {
    if (renumbers(node)) {
        renumber(node, worker);
        return;
    }
    if (marks_sides(node)) {
        mark_entries(node, worker, side_.data(), unknown_side, spreads);
        return;
    }
    const std::size_t samples = P::weighted ? samples_.weight.size() : problem_.table.rows();
    if (child_.size() < samples) child_.resize(samples);
    mark_entries(node, worker, child_.data(), unknown, spreads);
    if (spreads) spread(node, worker);
}

// Whether the branches of the samples of a node are in `side_`. Otherwise they are in `child_`.
template <typename P>
bool Grower<P>::marks_sides(const Node& node) const {
    return node.best.branches == 2 && !absolute_ &&
           !(lacks_values(node) && parameters_.missing == Missing::fractional);
}

// Collects the samples of the children whose sums are not exact enough. All samples must be marked.
template <typename P>
void Grower<P>::collect_members(const Node& node, Worker& worker, bool spreads) {
    const std::size_t branches = node.best.branches;
    if (worker.members.size() < branches) worker.members.resize(branches);
    auto& wanted = worker.wanted;
    wanted.assign(branches, 0);
    for (std::size_t b = 0; b < branches; ++b) {
        worker.members[b].clear();
        wanted[b] = evaluator_->needs_rows(worker.stats[b]);
    }
    if (std::find(wanted.begin(), wanted.end(), std::uint8_t{1}) == wanted.end()) return;
    const std::size_t list = has_rows_ ? columns_ : static_cast<std::size_t>(node.column);
    const Range& range = node.ranges[list];
    if (renumbers(node)) {
        const auto cut = static_cast<std::uint32_t>(node.best.boundary.position);
        for (std::uint32_t i = 0; i < range.size; ++i) {
            const std::size_t b = i < cut ? 0 : 1;
            if (wanted[b]) worker.members[b].push_back(node.first + i);
        }
        return;
    }
    const bool sides = marks_sides(node);
    const Word* entries = node.block->columns[list].data() + range.begin;
    for (std::size_t i = 0; i < range.size; ++i) {
        const std::uint32_t sample = Layout::row(entries[i]);
        const std::uint32_t at = sides ? side_[sample] : child_[sample];
        if (!spreads || at != unknown) {
            if (wanted[at]) worker.members[at].push_back(sample);
            continue;
        }
        for (std::size_t b = 0; b < branches; ++b) {
            const std::uint32_t part =
                b == 0 ? sample : twin_[sample] + static_cast<std::uint32_t>(b) - 1;
            if (wanted[b]) worker.members[b].push_back(part);
        }
    }
}

// Writes the branch of every sample of the node and adds up the children.
template <typename P>
template <typename Child>
void Grower<P>::mark_entries(const Node& node, Worker& worker, Child* child, Child none,
                             bool& spreads) {
    const auto c = static_cast<std::size_t>(node.column);
    const Range& range = node.ranges[c];
    const Candidate& best = node.best;
    const Word* entries = node.block->columns[c].data() + range.begin;
    const bool partial =
        best.counted ? best.partial : static_cast<std::int64_t>(range.size) < node.stats.rows;
    const Word* rows = nullptr;
    std::size_t row_count = 0;
    if (partial) {
        rows = node.block->columns[columns_].data() + node.ranges[columns_].begin;
        row_count = node.ranges[columns_].size;
        for (std::size_t i = 0; i < row_count; ++i) child[Layout::row(rows[i])] = none;
    }
    const auto put = [&](std::size_t begin, std::size_t end, std::size_t branch) {
        NodeStats& stats = worker.stats[branch];
        for (std::size_t i = begin; i < end; ++i) {
            child[Layout::row(entries[i])] = static_cast<Child>(branch);
            stats.template add<P>(samples_, entries[i]);
        }
    };
    const bool mode_present = hidden_[c] && partial;
    std::size_t mode_branch = 0;
    if (best.counted) {
        mark_codes(node, worker, child);
    } else if (best.kind == ConditionKind::threshold) {
        put(0, best.boundary.position, 0);
        put(best.boundary.position, range.size, 1);
        mode_branch = best.boundary.mode_left ? 0 : 1;
    } else {
        std::size_t level = 0;
        evaluator_->for_each_value(
            entries, range, mode_present, [&](std::size_t begin, std::size_t end, bool mode) {
                const auto branch = static_cast<std::size_t>(best.branch_of_level[level++]);
                if (mode) {
                    mode_branch = branch;
                } else {
                    put(begin, end, branch);
                }
            });
    }
    if (mode_present) {
        for (std::size_t i = 0; i < row_count; ++i) {
            Child& at = child[Layout::row(rows[i])];
            if (at != none) continue;
            at = static_cast<Child>(mode_branch);
            worker.stats[mode_branch].template add<P>(samples_, rows[i]);
        }
    }
    for (std::size_t b = 0; b < best.branches; ++b) {
        const auto& sums = worker.stats[b].sums;
        if constexpr (P::classification) {
            for (const double sum : sums) worker.known_weight[b] += sum;
        } else {
            worker.known_weight[b] = sums[0];
        }
    }
    if (!partial || hidden_[c]) return;
    if (best.missing_to < 0) {
        spreads = true;
        return;
    }
    const auto to = static_cast<std::size_t>(best.missing_to);
    for (std::size_t i = 0; i < row_count; ++i) {
        Child& at = child[Layout::row(rows[i])];
        if (at != none) continue;
        at = static_cast<Child>(to);
        worker.stats[to].template add<P>(samples_, rows[i]);
    }
}

// The branch of every code of the column that a node is split by.
template <typename P>
void Grower<P>::send_codes(const Node& node, std::vector<std::uint32_t>& branch_of_code) const {
    const Candidate& best = node.best;
    branch_of_code.assign(coded_[static_cast<std::size_t>(node.column)].size(), 0);
    if (best.kind == ConditionKind::threshold) {
        std::fill(branch_of_code.begin() + best.lower_code + 1, branch_of_code.end(), 1u);
    } else {
        for (std::size_t l = 0; l < best.level_codes.size(); ++l) {
            branch_of_code[static_cast<std::size_t>(best.level_codes[l])] =
                static_cast<std::uint32_t>(best.branch_of_level[l]);
        }
    }
}

// Like mark_entries, but from the codes of a column. Samples that lack a value are skipped.
template <typename P>
template <typename Child>
void Grower<P>::mark_codes(const Node& node, Worker& worker, Child* child) {
    const auto c = static_cast<std::size_t>(node.column);
    const CodedColumn& coded = coded_[c];
    const Candidate& best = node.best;
    const Word* entries = node.block->columns[columns_].data() + node.ranges[c].begin;
    auto& branch_of_code = worker.branch_of_code;
    send_codes(node, branch_of_code);
    const auto for_each = [&](auto&& add) {
        for (std::size_t i = 0; i < node.ranges[c].size; ++i) {
            const std::size_t code = evaluator_->code_of(coded, entries[i]);
            if (code >= coded.values()) continue;
            const std::uint32_t branch = branch_of_code[code];
            child[Layout::row(entries[i])] = static_cast<Child>(branch);
            add(entries[i], branch);
        }
    };
    if constexpr (!P::classification) {
        for_each([&](Word entry, std::uint32_t branch) {
            worker.stats[branch].template add<P>(samples_, entry);
        });
        return;
    }
    // Branches alternate from row to row, so their sums are kept in one array.
    const std::size_t width = samples_.width();
    const bool weights_differ = P::weighted && !samples_.equal_weights;  // from the support
    auto& sums = worker.branch_sums;
    auto& support = worker.branch_support;
    auto& rows = worker.branch_rows;
    sums.assign(best.branches * width, 0.0);
    support.assign(best.branches, 0.0);
    rows.assign(best.branches, 0);
    if (const auto* cells = evaluator_->kept_cells(node, c); cells != nullptr) {
        // The rows have been counted by code already.
        for (std::size_t code = 0; code < coded.values(); ++code) {
            double* to = sums.data() + branch_of_code[code] * width;
            for (std::size_t j = 0; j < width; ++j)
                to[j] += static_cast<double>(cells[code * evaluator_->stride() + j]);
        }
        if (best.branches == 2) {
            std::int64_t known = 0;
            std::int64_t right = 0;
            for_each([&](Word, std::uint32_t branch) {
                ++known;
                right += branch;
            });
            rows[0] = known - right;
            rows[1] = right;
        } else {
            for_each([&](Word, std::uint32_t branch) { ++rows[branch]; });
        }
    } else {
        for_each([&](Word entry, std::uint32_t branch) {
            P::add(samples_, entry, sums.data() + branch * width);
            if (weights_differ) support[branch] += P::support(samples_, entry);
            ++rows[branch];
        });
    }
    for (std::size_t b = 0; b < best.branches; ++b) {
        NodeStats& stats = worker.stats[b];
        stats.sums.assign(sums.begin() + static_cast<std::ptrdiff_t>(b * width),
                          sums.begin() + static_cast<std::ptrdiff_t>((b + 1) * width));
        stats.rows = rows[b];
        stats.support = weights_differ ? support[b]
                                       : std::accumulate(stats.sums.begin(), stats.sums.end(), 0.0);
    }
}

// Renumbers the samples of the node in the order of the cut column, so that those of the left child
// come first. Adds up the children on the way.
template <typename P>
void Grower<P>::renumber(const Node& node, Worker& worker) {
    if constexpr (!P::classification) {
        const auto c = static_cast<std::size_t>(node.column);
        const Range& range = node.ranges[c];
        const Word* entries = node.block->columns[c].data() + range.begin;
        const std::size_t cut = node.best.boundary.position;
        for_each_index(2, range.size > 16384 ? worker.threads : 1, [&](std::size_t b) {
            NodeStats& stats = worker.stats[b];
            const std::size_t end = b == 0 ? cut : range.size;
            for (std::size_t i = b == 0 ? 0 : cut; i < end; ++i) {
                const std::uint32_t sample = Layout::row(entries[i]);
                const auto place = node.first + static_cast<std::uint32_t>(i);
                place_[sample] = place;
                renumbered_.target[place] = samples_.target[sample];
                renumbered_.source[place] = samples_.source[sample];
                stats.template add<P>(samples_, entries[i]);
            }
            worker.known_weight[b] = stats.sums[0];
        });
        const std::size_t begin = node.first;
        const std::size_t end = begin + range.size;
        std::copy(renumbered_.target.begin() + begin, renumbered_.target.begin() + end,
                  samples_.target.begin() + begin);
        std::copy(renumbered_.source.begin() + begin, renumbered_.source.begin() + end,
                  samples_.source.begin() + begin);
    }
}

// A row whose value is missing becomes one sample per branch. child_ keeps `unknown` for it. The
// sample itself goes to the first branch, its twins to the others.
template <typename P>
void Grower<P>::spread(const Node& node, Worker& worker) {
    if constexpr (P::weighted) {
        const std::size_t branches = node.best.branches;
        double known = 0.0;
        std::size_t heaviest = 0;
        for (std::size_t b = 0; b < branches; ++b) {
            known += worker.known_weight[b];
            if (worker.known_weight[b] > worker.known_weight[heaviest]) heaviest = b;
        }
        const Word* rows = node.block->columns[columns_].data() + node.ranges[columns_].begin;
        const std::size_t row_count = node.ranges[columns_].size;
        for (std::size_t i = 0; i < row_count; ++i) {
            const std::uint32_t sample = Layout::row(rows[i]);
            if (child_[sample] != unknown) continue;
            if (samples_.part(sample) < parameters_.least_fraction()) {
                child_[sample] = static_cast<std::uint32_t>(heaviest);
                worker.stats[heaviest].template add<P>(samples_, rows[i]);
                continue;
            }
            if (samples_.weight.size() + branches > Layout::max_rows) {
                throw std::length_error(
                    "missing='fractional' spreads the rows with missing values over too many "
                    "branches; "
                    "choose missing='direction' or 'separate', or limit the tree with "
                    "min_samples_leaf");
            }
            if (twin_.size() < samples_.weight.size()) twin_.resize(samples_.weight.size());
            twin_[sample] = static_cast<std::uint32_t>(samples_.weight.size());
            const std::uint32_t row = evaluator_->source_row(sample);
            const double weight = problem_.weights.empty() ? 1.0 : problem_.weights[row];
            const double fraction = samples_.part(sample);
            double rest = fraction;
            for (std::size_t b = 0; b < branches; ++b) {
                const double share = worker.known_weight[b] / known;
                const double part = samples_.rounded(fraction * share, rest, branches - 1 - b);
                rest -= part;
                std::uint32_t own = sample;
                if (b > 0) {
                    own = static_cast<std::uint32_t>(samples_.weight.size());
                    samples_.weight.push_back(0.0);
                    samples_.support.push_back(1.0);
                    if (!samples_.parts.empty()) samples_.parts.push_back(1.0);
                    samples_.source.push_back(row);
                    if constexpr (!P::classification)
                        samples_.target.push_back(samples_.target[sample]);
                }
                samples_.weight[own] = weight * part;
                samples_.set_part(own, part);
                worker.stats[b].template add<P>(samples_, Layout::with_row(rows[i], own));
            }
        }
        make_room();
    }
}

}  // namespace ramify
