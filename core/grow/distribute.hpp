// Hands the columns of a node to its children, and evaluates each column of two children while it
// is in the cache. Invariant: no column is ever sorted again; children that will not be split get
// nothing.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "columns/partition.hpp"
#include "grow/choice.hpp"
#include "grow/worker.hpp"
#include "support/parallel.hpp"

namespace ramify {

template <Target P>
class Distributor {
  public:
    using Layout = typename P::Layout;
    using Word = typename P::Word;
    using Cell = typename P::Cell;
    using Node = OpenNode<Word>;
    using NodePointer = std::unique_ptr<Node>;

    Distributor(const Context<P>& context, const Evaluator<P>& evaluator,
                const SplitChoice<P>& choice, Router<P>& router, std::vector<std::uint32_t>& ranks)
        : context_(context),
          evaluator_(evaluator),
          choice_(choice),
          router_(router),
          ranks_(ranks),
          columns_(context.problem.table.size()),
          scratch_(static_cast<std::size_t>(std::max(1, context.parameters.threads))) {}

    // A grower with one workspace runs in one thread, whose number may be any.
    Workspace<Word>& workspace() {
        return scratch_[scratch_.size() == 1 ? 0 : static_cast<std::size_t>(thread_index())];
    }

    // Gives the children of a node their columns; a child that is null stays a leaf. Two children
    // are evaluated on the way. True: they have been, and the null ones are gone.
    bool distribute(Worker<P>& worker, Node& node, std::vector<NodePointer>& children) {
        const bool spreads = worker.branches.spread;
        std::shared_ptr<Block<Word>> block = node.block;
        if (spreads) {
            block = std::make_shared<Block<Word>>();
            block->columns.resize(node.ranges.size());
        }
        for (auto& child : children) {
            if (child) child->block = block;
        }
        const int threads = threads_for(worker, node.stats.rows);
        if (children.size() == 2 && !spreads && !context_.by_ranks()) {
            hand_to_two(worker, node, children, threads);
            return true;
        }
        const auto hand_on = [&](std::size_t c) {
            if (hand_on_without_entries(c, node, children)) {
                if (spreads && node.ranges[c].coded && !node.ranges[c].constant)
                    block->columns[c].resize(block->columns[columns_].size());
            } else if (spreads) {
                hand_to_divided(c, node, *block, children);
            } else {
                hand_to_many(c, node, children);
            }
        };
        if (node.ranges.size() > columns_) hand_on(columns_);
        for_each_index(columns_, threads, hand_on);
        return false;
    }

    // Finds the best split of every column of some nodes. `parent`: their parent, if they are its
    // two and only children.
    void evaluate(Worker<P>& worker, std::span<const NodePointer> nodes, Node* parent = nullptr) {
        worker.make_room(nodes.size(), columns_);
        std::int64_t rows = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            worker.views[i].start(nodes[i].get());
            rows += nodes[i]->stats.rows;
            if (context_.by_ranks()) evaluator_.ranks().prepare(worker.views[i], ranks_);
        }
        if constexpr (P::weighted) {
            std::vector<Node*> all;
            for (const NodePointer& node : nodes) all.push_back(node.get());
            count_parts(worker, parent, all);
        }
        const int threads = threads_for(worker, rows);
        for_each_index(columns_, threads, [&](std::size_t c) {
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                Node& node = *nodes[i];
                NodeView<Word>& view = worker.views[i];
                const Cell* cells = context_.cells.counted(view, c);
                if constexpr (!P::weighted) {
                    if (!node.counts.empty() && node.ranges[c].coded) {
                        Cell* own = node.counts.data() + context_.cells.first(c);
                        context_.cells.count(node, c, own);
                        cells = own;
                    }
                }
                Candidate& candidate = worker.candidates[i * columns_ + c];
                evaluator_.evaluate(view, node.ranges[c], c, workspace(), candidate, cells);
                if (threads == 1 && choice_.only_best(node) && candidate.valid())
                    choice_.raise_floor(view, candidate);
            }
        });
    }

  private:
    int threads_for(const Worker<P>& worker, std::int64_t rows) const {
        return static_cast<std::size_t>(rows) * columns_ > 10000 ? worker.threads : 1;
    }

    // Columns without entries: constant ones, and coded ones. False: the column has entries.
    bool hand_on_without_entries(std::size_t c, const Node& node,
                                 std::span<const NodePointer> children) const {
        if (c >= columns_ || !(node.ranges[c].constant || node.ranges[c].coded)) return false;
        for (auto& child : children) {
            if (!child) continue;
            if (node.ranges[c].constant) {
                child->ranges[c].constant = true;
            } else {
                child->ranges[c] = child->ranges[columns_];
                child->ranges[c].coded = true;
            }
        }
        return true;
    }

    // The larger of two children takes the counts of the node. Those of the smaller one are
    // subtracted column by column.
    struct Counting {
        Node* larger = nullptr;
        Node* smaller = nullptr;
    };

    void hand_to_two(Worker<P>& worker, Node& node, std::vector<NodePointer>& children,
                     int threads) {
        std::array<Node*, 2> both{};  // those that may be split
        std::size_t kept = 0;
        std::array<std::size_t, 2> branch{};
        for (std::size_t b = 0; b < 2; ++b) {
            if (!children[b]) continue;
            branch[kept] = b;
            both[kept++] = children[b].get();
        }
        worker.make_room(2, columns_);
        for (std::size_t i = 0; i < kept; ++i) worker.views[i].start(both[i]);
        const Counting counting = share_counts(node, std::span(both).first(kept));
        std::array<bool, 2> settled{false, false};  // by branch
        // The smaller child comes first, because the larger one needs its counts.
        const bool turned = counting.smaller != nullptr && counting.smaller == both[1];
        // While other threads grow subtrees, they write the sides of their rows.
        const bool alone = worker.threads == context_.parameters.threads;
        const bool packed = alone && router_.pack_sides(node);
        const auto one = [&](std::size_t c) {
            if (!hand_on_without_entries(c, node, children))
                partition(c, node, children, settled, packed);
            if (c >= columns_) return;
            for (std::size_t k = 0; k < kept; ++k) {
                const std::size_t i = turned ? 1 - k : k;
                Candidate& candidate = worker.candidates[i * columns_ + c];
                Node& child = *both[i];
                if (settled[branch[i]]) {
                    candidate.reset();
                    child.ranges[c].constant = true;
                    continue;
                }
                NodeView<Word>& view = worker.views[i];
                evaluator_.evaluate(view, child.ranges[c], c, workspace(), candidate,
                                    cells_of(view, child, c, counting));
                if (threads == 1 && choice_.only_best(child) && candidate.valid()) {
                    settled[branch[i]] = unbeatable(context_, child.stats, candidate.gain);
                    choice_.raise_floor(view, candidate);
                }
            }
        };
        if (node.ranges.size() > columns_) one(columns_);
        if constexpr (P::weighted) {
            for (std::size_t c = 0; c < columns_; ++c) {
                if (node.ranges[c].coded && !node.ranges[c].constant)
                    hand_on_without_entries(c, node, children);
            }
            count_parts(worker, &node, std::span(both).first(kept));
        }
        for_each_index(columns_, threads, one);
        std::erase_if(children, [](const NodePointer& child) { return child == nullptr; });
    }

    Counting share_counts(Node& node, std::span<Node* const> children) const {
        if (node.counts.empty() || children.empty()) return {};
        if (children.size() == 1) {
            children[0]->counts = std::move(node.counts);
            return {};
        }
        const bool first = children[0]->stats.rows > children[1]->stats.rows;
        const Counting counting{children[first ? 0 : 1], children[first ? 1 : 0]};
        counting.larger->counts = std::move(node.counts);
        if (context_.cells.kept(static_cast<std::size_t>(counting.smaller->stats.rows)))
            counting.smaller->counts.resize(context_.cells.size());
        return counting;
    }

    // The cells of a column at a child, counted or as a difference; null if there are none yet.
    const Cell* cells_of(const NodeView<Word>& view, Node& child, std::size_t c,
                         const Counting& counting) {
        if constexpr (P::weighted) {
            return context_.cells.counted(view, c);
        } else {
            const NodeCells<P>& cells = context_.cells;
            const auto counts = [&](const Node& of) {
                return !of.counts.empty() && !of.ranges[c].constant &&
                       cells.pay(c, of.ranges[c].size);
            };
            if (!child.ranges[c].coded || !counts(child)) return nullptr;
            Cell* own = child.counts.data() + cells.first(c);
            if (&child != counting.larger) {
                cells.count(child, c, own);
            } else if (counts(*counting.smaller)) {
                cells.take_off(c, own, counting.smaller->counts.data() + cells.first(c));
            } else {
                // The smaller child was not counted: it has too few rows, or its split is decided.
                auto& spare = workspace().histogram;
                spare.resize(std::max(spare.size(), cells.size(c)));
                cells.count(*counting.smaller, c, spare.data());
                cells.take_off(c, own, spare.data());
            }
            return own;
        }
    }

    // With weights: counts the cells of the children, whose views have been started. The larger of
    // two gets the cells of the parent minus those of the smaller one.
    void count_parts(Worker<P>& worker, Node* parent, std::span<Node* const> children) const {
        const NodeCells<P>& cells = context_.cells;
        const auto rows = [&](std::size_t i) {
            return static_cast<std::size_t>(children[i]->stats.rows);
        };
        const bool differ = children.size() == 2 && parent != nullptr && !parent->parts.empty();
        const std::size_t larger = differ && rows(1) > rows(0) ? 1 : 0;
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (differ && i == larger) {
                std::swap(children[i]->parts, parent->parts);
                worker.views[i].counted.cells = children[i]->parts.data();
            } else {
                cells.place(worker.views[i], *children[i]);
                cells.count_all(worker.views[i], differ ? rows(larger) : rows(i));
            }
        }
        if (differ) cells.take_off_all(worker.views[larger], worker.views[1 - larger]);
    }

    // Two children, in place.
    void partition(std::size_t c, const Node& node, std::span<const NodePointer> children,
                   const std::array<bool, 2>& settled, bool packed) {
        const Range& range = node.ranges[c];
        Word* entries = node.block->columns[c].data() + range.begin;
        const bool left = children[0] && !settled[0];
        const bool right = children[1] && !settled[1];
        if (!left && !right) return;
        const bool sparse = c < columns_ && context_.sparse[c];
        const bool renumbers = router_.renumbers(node);
        const Candidate& best = node.best;
        BinaryCounts counts;
        if (static_cast<std::int32_t>(c) == node.column && best.kind == ConditionKind::threshold &&
            best.missing_to < 0 && !best.counted) {
            // The cut column is in order already: its left part is the left child.
            counts.left = best.boundary.position;
            counts.left_below = std::min<std::size_t>(counts.left, range.below);
            for (std::size_t i = 0; renumbers && i < range.size; ++i) {
                const auto place = node.first + static_cast<std::uint32_t>(i);
                entries[i] = Layout::with_row(entries[i], place);
            }
        } else {
            auto& spare = workspace().spare;
            if (spare.size() < range.size) spare.resize(range.size);
            const bool distinct = c >= columns_ || context_.problem.table[c].all_distinct;
            const auto send_by = [&](const auto& send) {
                counts = partition_kept<Layout>(entries, range.size, sparse ? range.below : 0, send,
                                                spare.data(), left, right, distinct);
            };
            if (renumbers) {
                const auto cut = static_cast<std::uint32_t>(best.boundary.position);
                send_by(ByPlace<Layout>{router_.places(), node.first + cut});
            } else if (packed) {
                send_by(ByBit<Layout>{router_.side_bits()});
            } else {
                send_by(BySide<Layout>{router_.sides()});
            }
        }
        const auto size = static_cast<std::uint32_t>(counts.left);
        const auto below = static_cast<std::uint32_t>(counts.left_below);
        if (left) children[0]->ranges[c] = {range.begin, size, sparse ? below : 0, false, false};
        if (right) {
            children[1]->ranges[c] = {range.begin + size, range.size - size,
                                      sparse ? range.below - below : 0, false, false};
        }
    }

    // Any number of children, in place.
    void hand_to_many(std::size_t c, const Node& node, std::span<const NodePointer> children) {
        const Range& range = node.ranges[c];
        Word* entries = node.block->columns[c].data() + range.begin;
        const bool sparse = c < columns_ && context_.sparse[c];
        std::vector<std::uint32_t> sizes(children.size());
        std::vector<std::uint32_t> below(children.size());
        partition_many<Layout>(entries, range.size, sparse ? range.below : 0, router_.children(),
                               workspace().spare, sizes, below);
        std::uint32_t begin = range.begin;
        for (std::size_t b = 0; b < children.size(); ++b) {
            if (children[b]) children[b]->ranges[c] = {begin, sizes[b], below[b], false, false};
            begin += sizes[b];
        }
    }

    // Like hand_to_many, but into new memory, since a row that is divided has an entry in every
    // child.
    void hand_to_divided(std::size_t c, const Node& node, Block<Word>& block,
                         std::span<const NodePointer> children) const {
        const Range& range = node.ranges[c];
        const std::span<const Word> entries{node.block->columns[c].data() + range.begin,
                                            range.size};
        const std::size_t branches = children.size();
        const std::uint32_t* child = router_.children();
        std::vector<std::uint32_t> sizes(branches, 0);
        std::uint32_t everywhere = 0;
        for (const Word entry : entries) {
            const std::uint32_t at = child[Layout::row(entry)];
            ++(at == Router<P>::unknown ? everywhere : sizes[at]);
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
        for (const Word entry : entries) {
            if (Layout::fresh(entry)) ++value;
            const std::uint32_t sample = Layout::row(entry);
            if (child[sample] != Router<P>::unknown) {
                put(child[sample], entry);
                continue;
            }
            for (std::size_t b = 0; b < branches; ++b)
                put(b, Layout::with_row(entry, router_.part(sample, b)));
        }
    }

    const Context<P>& context_;
    const Evaluator<P>& evaluator_;
    const SplitChoice<P>& choice_;
    Router<P>& router_;
    std::vector<std::uint32_t>& ranks_;
    std::size_t columns_;
    std::vector<Workspace<Word>> scratch_;
};

}  // namespace ramify
