// Distributes the entries of a node's columns to its children. Each column is evaluated while it is
// in the cache. Invariant: that of grower.hpp. Included where a policy is instantiated.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "grow/grower.hpp"

namespace ramify {

template <typename P>
void Grower<P>::distribute(Worker& worker, Node& node, bool spreads,
                           std::vector<NodePointer>& children) {
    const std::size_t total = node.ranges.size();
    const int threads =
        static_cast<std::size_t>(node.stats.rows) * columns_ > 10000 ? worker.threads : 1;
    std::shared_ptr<Block<Word>> block = node.block;
    if (spreads) {
        block = std::make_shared<Block<Word>>();
        block->columns.resize(total);
    }
    for (auto& child : children) {
        if (child) child->block = block;
    }
    // If there are two children, a column is evaluated right after it was distributed, while it is
    // in the cache.
    const bool two = children.size() == 2 && !spreads && !absolute_;
    std::vector<std::size_t> kept;
    kept.reserve(2);
    if (two) {
        for (std::size_t b = 0; b < 2; ++b) {
            if (children[b]) kept.push_back(b);
        }
        worker.views.resize(std::max<std::size_t>(worker.views.size(), 2));
        for (std::size_t i = 0; i < kept.size(); ++i)
            worker.views[i].start(children[kept[i]].get());
        if (worker.candidates.size() < 2 * columns_) worker.candidates.resize(2 * columns_);
    }
    // The larger child takes the counts of the node. Those of the smaller child are subtracted
    // column by column.
    Node* larger = nullptr;
    Node* smaller = nullptr;
    if (kept.size() == 2 && !node.counts.empty()) {
        const bool first = children[0]->stats.rows > children[1]->stats.rows;
        larger = children[first ? 0 : 1].get();
        smaller = children[first ? 1 : 0].get();
        larger->counts = std::move(node.counts);
        if (evaluator_->keeps_counts(static_cast<std::size_t>(smaller->stats.rows)))
            smaller->counts.resize(evaluator_->cells());
    } else if (kept.size() == 1 && !node.counts.empty()) {
        children[kept[0]]->counts = std::move(node.counts);
    }
    const auto counts_of = [&](const NodeView<Word>& view, Node& child,
                               std::size_t c) -> const typename P::Cell* {
        if constexpr (!P::weighted) {
            if (child.counts.empty() || !child.ranges[c].coded || child.ranges[c].constant ||
                !evaluator_->counts(c, child.ranges[c].size)) {
                return nullptr;
            }
            std::uint32_t* counts = child.counts.data() + evaluator_->first_cell(c);
            if (&child != larger) {
                evaluator_->count(child, c, counts);
            } else if (smaller->counts.empty() || smaller->ranges[c].constant ||
                       !evaluator_->counts(c, smaller->ranges[c].size)) {
                // The smaller child was not counted: it has too few rows, or its split is decided.
                auto& spare = scratch().histogram;
                spare.resize(std::max(spare.size(), evaluator_->cells(c)));
                evaluator_->count(*smaller, c, spare.data());
                evaluator_->take_off(c, counts, spare.data());
            } else {
                evaluator_->take_off(c, counts, smaller->counts.data() + evaluator_->first_cell(c));
            }
            return counts;
        }
        return evaluator_->coded_cells(view, c);
    };
    // A coded column has no entries to distribute.
    const auto hand_on_coded = [&](std::size_t c) {
        for (auto& child : children) {
            if (!child) continue;
            child->ranges[c] = child->ranges[columns_];
            child->ranges[c].coded = true;
        }
    };
    std::array<bool, 2> settled{false, false};
    const auto one = [&](std::size_t c) {
        if (c < columns_ && node.ranges[c].constant) {
            for (auto& child : children) {
                if (child) child->ranges[c].constant = true;
            }
        } else if (c < columns_ && node.ranges[c].coded) {
            hand_on_coded(c);
            if (spreads) block->columns[c].resize(block->columns[columns_].size());
        } else if (spreads) {
            distribute_spread(c, node, *block, children);
        } else if (two) {
            distribute_two(c, node, children, settled);
        } else {
            distribute_many(c, node, children);
        }
        if (!two || c >= columns_) return;
        // The smaller child comes first, because the larger one needs its counts.
        const bool turned = smaller != nullptr && smaller == children[kept[1]].get();
        for (std::size_t k = 0; k < kept.size(); ++k) {
            const std::size_t i = turned ? 1 - k : k;
            Candidate& candidate = worker.candidates[i * columns_ + c];
            Node& child = *children[kept[i]];
            if (settled[kept[i]]) {
                candidate.reset();
                child.ranges[c].constant = true;
                continue;
            }
            evaluator_->evaluate(worker.views[i], child.ranges[c], c, scratch(), candidate,
                                 counts_of(worker.views[i], child, c));
            if (threads == 1 && only_best(child) && candidate.valid()) {
                settled[kept[i]] = evaluator_->unbeatable(child.stats, candidate.gain);
                raise_floor(worker.views[i], candidate);
            }
        }
    };
    if (has_rows_) one(columns_);
    if constexpr (P::weighted) {
        for (std::size_t c = 0; two && c < columns_; ++c) {
            if (node.ranges[c].coded && !node.ranges[c].constant) hand_on_coded(c);
        }
        std::array<Node*, 2> nodes{};
        for (std::size_t i = 0; i < kept.size(); ++i) nodes[i] = children[kept[i]].get();
        count_parts(worker, &node, std::span(nodes).first(kept.size()));
    }
    for_each_index(columns_, threads, one);
    if (children.size() == 2 && !spreads && absolute_) {
        std::vector<NodePointer> alive;
        for (auto& child : children) {
            if (child) alive.push_back(std::move(child));
        }
        evaluate(worker, alive);
        children = std::move(alive);
    }
}

// Counts the cells of the children that may be split, whose views have been started. The larger of
// two gets the cells of the parent minus those of the smaller one.
template <typename P>
void Grower<P>::count_parts(Worker& worker, Node* parent, std::span<Node* const> children) {
    const auto rows = [&](std::size_t i) {
        return static_cast<std::size_t>(children[i]->stats.rows);
    };
    const bool differ = children.size() == 2 && parent != nullptr && !parent->parts.empty();
    const std::size_t larger = differ && rows(1) > rows(0) ? 1 : 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (differ && i == larger) {
            std::swap(children[i]->parts, parent->parts);
            worker.views[i].cells = children[i]->parts.data();
        } else {
            evaluator_->place_cells(worker.views[i], *children[i]);
            evaluator_->count_coded(worker.views[i], differ ? rows(larger) : rows(i));
        }
    }
    if (differ) evaluator_->take_off_coded(worker.views[larger], worker.views[1 - larger]);
}

template <typename P>
void Grower<P>::distribute_two(std::size_t c, const Node& node, std::vector<NodePointer>& children,
                               const std::array<bool, 2>& settled) {
    const Range& range = node.ranges[c];
    Word* entries = node.block->columns[c].data() + range.begin;
    const bool left = children[0] && !settled[0];
    const bool right = children[1] && !settled[1];
    if (!left && !right) return;
    const bool hidden = c < columns_ && hidden_[c];
    BinaryCounts counts;
    if (static_cast<std::int32_t>(c) == node.column && node.best.kind == ConditionKind::threshold &&
        node.best.missing_to < 0 && !node.best.counted) {
        // The cut column is in order already: its left part is the left child.
        counts.left = node.best.boundary.position;
        counts.left_below = std::min<std::size_t>(counts.left, range.below);
        if (renumbers(node)) {
            for (std::size_t i = 0; i < range.size; ++i) {
                const auto place = node.first + static_cast<std::uint32_t>(i);
                entries[i] = Layout::with_row(entries[i], place);
            }
        }
    } else {
        auto& spare = scratch().spare;
        if (spare.size() < range.size) spare.resize(range.size);
        const bool distinct = c >= columns_ || problem_.table[c].all_distinct;
        const auto partition = [&](const auto& send) {
            counts = partition_kept<Layout>(entries, range.size, hidden ? range.below : 0, send,
                                            spare.data(), left, right, distinct);
        };
        if (renumbers(node)) {
            const auto cut = static_cast<std::uint32_t>(node.best.boundary.position);
            partition(ByPlace<Layout>{place_.data(), node.first + cut});
        } else {
            partition(BySide<Layout>{side_.data()});
        }
    }
    const auto size = static_cast<std::uint32_t>(counts.left);
    const auto below = static_cast<std::uint32_t>(counts.left_below);
    if (left) children[0]->ranges[c] = {range.begin, size, hidden ? below : 0, false, false};
    if (right) {
        children[1]->ranges[c] = {range.begin + size, range.size - size,
                                  hidden ? range.below - below : 0, false, false};
    }
}

template <typename P>
void Grower<P>::distribute_many(std::size_t c, const Node& node,
                                std::vector<NodePointer>& children) {
    const Range& range = node.ranges[c];
    Word* entries = node.block->columns[c].data() + range.begin;
    const bool hidden = c < columns_ && hidden_[c];
    std::vector<std::uint32_t> sizes(children.size());
    std::vector<std::uint32_t> below(children.size());
    partition_many<Layout>(entries, range.size, hidden ? range.below : 0, child_.data(),
                           scratch().spare, sizes, below);
    std::uint32_t begin = range.begin;
    for (std::size_t b = 0; b < children.size(); ++b) {
        if (children[b]) children[b]->ranges[c] = {begin, sizes[b], below[b], false, false};
        begin += sizes[b];
    }
}

// Like distribute_many, but into new memory, since a row that is spread has an entry in every
// child.
template <typename P>
void Grower<P>::distribute_spread(std::size_t c, const Node& node, Block<Word>& block,
                                  std::vector<NodePointer>& children) {
    const Range& range = node.ranges[c];
    const Word* entries = node.block->columns[c].data() + range.begin;
    const std::size_t branches = children.size();
    std::vector<std::uint32_t> sizes(branches, 0);
    std::uint32_t everywhere = 0;
    for (std::size_t i = 0; i < range.size; ++i) {
        const std::uint32_t at = child_[Layout::row(entries[i])];
        if (at == unknown) {
            ++everywhere;
        } else {
            ++sizes[at];
        }
    }
    std::vector<std::uint32_t> next(branches);
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b < branches; ++b) {
        next[b] = sum;
        if (!children[b]) continue;  // a leaf needs no entries
        sizes[b] += everywhere;
        children[b]->ranges[c] = {sum, sizes[b], 0, false, false};
        sum += sizes[b];
    }
    block.columns[c].resize(sum);
    Word* out = block.columns[c].data();
    std::vector<std::uint32_t> seen(branches, 0);
    std::uint32_t value = 0;
    const auto put = [&](std::size_t b, Word entry) {
        if (!children[b]) return;
        entry &= static_cast<Word>(~Layout::fresh_bit);
        if (seen[b] != value) entry |= Layout::fresh_bit;
        seen[b] = value;
        out[next[b]++] = entry;
    };
    for (std::size_t i = 0; i < range.size; ++i) {
        const Word entry = entries[i];
        if (Layout::fresh(entry)) ++value;
        const std::uint32_t sample = Layout::row(entry);
        if (child_[sample] != unknown) {
            put(child_[sample], entry);
            continue;
        }
        put(0, entry);
        for (std::size_t b = 1; b < branches; ++b) {
            put(b, Layout::with_row(entry, twin_[sample] + static_cast<std::uint32_t>(b) - 1));
        }
    }
}

}  // namespace ramify
