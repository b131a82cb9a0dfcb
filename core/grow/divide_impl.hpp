// Where rows start to be divided. A tree counts whole rows until a node splits by an attribute that
// some of its rows lack. Another grower, with weights, grows that node and all below it. Invariant:
// that grower gets the node value by value, so that the tree equals the one that weights of one
// would give from the root on.
#pragma once

#include <algorithm>

#include "grow/grower.hpp"

namespace ramify {

template <typename P>
bool Grower<P>::divides(const Node& node) const {
    return !P::weighted && parameters_.missing == Missing::fractional && lacks_values(node);
}

// Whether some rows of the node lack the attribute it is split by.
template <typename P>
bool Grower<P>::lacks_values(const Node& node) const {
    const auto c = static_cast<std::size_t>(node.column);
    if (node.best.counted) return node.best.partial;
    return !hidden_[c] && static_cast<std::int64_t>(node.ranges[c].size) < node.stats.rows;
}

// Makes the node for the worker's weighted grower, and that grower when it is first needed.
template <typename P>
auto Grower<P>::divide(Worker& worker, Node& node) -> typename Divided::NodePointer {
    if (!worker.divided) {
        worker.divided.reset(new DividedGrowth{
            Divided(problem_, interrupt_, &coded_),
            {worker.builder, worker.threads},
        });
    }
    Divided& grower = worker.divided->grower;
    grower.samples_.equal_weights = !parameters_.counts_pieces();
    grower.evaluator_->centre = centre_;
    auto divided = grower.fresh_node(worker.divided->worker);
    divided->id = node.id;
    divided->depth = node.depth;
    divided->parts.clear();
    divided->column = node.column;
    divided->log_p = node.log_p;
    std::swap(divided->stats, node.stats);
    std::swap(divided->best, node.best);
    divided->ranges.assign(columns_ + 1, {});
    divided->block = std::make_shared<Block<typename Divided::Word>>();
    divided->block->columns.resize(columns_ + 1);
    const Range& members = node.ranges[columns_];
    const Word* rows = node.block->columns[columns_].data() + members.begin;
    const std::size_t first = grower.samples_.weight.size();
    for (std::size_t i = 0; i < members.size; ++i) {
        const std::uint32_t row = Layout::row(rows[i]);
        place_[row] = static_cast<std::uint32_t>(first + i);
        grower.samples_.source.push_back(row);
        if constexpr (!P::classification) grower.samples_.target.push_back(samples_.target[row]);
    }
    grower.samples_.weight.resize(first + members.size, 1.0);
    grower.samples_.support.resize(first + members.size, 1.0);
    if (parameters_.counts_pieces()) grower.samples_.parts.resize(first + members.size, 1.0);
    grower.make_room();
    for (std::size_t c = 0; c <= columns_; ++c) divide_column(c, node, *divided);
    return divided;
}

// A counted column stays counted. In every other column each row gets an entry, including the rows
// of a hidden mode.
template <typename P>
void Grower<P>::divide_column(std::size_t c, Node& node, typename Divided::Node& divided) {
    using Wide = typename Divided::Layout;
    Range& range = node.ranges[c];
    divided.ranges[c].constant = range.constant;
    if (range.constant) return;
    const Word* entries = node.block->columns[c].data() + range.begin;
    const Range& members = node.ranges[columns_];
    const bool partial = c < columns_ && hidden_[c] && range.size < members.size;
    const bool coded = partial && coded_[c].values() > 0 && evaluator_->counts(c, members.size);
    divided.ranges[c].coded = range.coded || coded;
    const std::uint32_t size = partial ? members.size : range.size;
    divided.ranges[c].size = size;
    divided.block->columns[c].resize(size);
    if (divided.ranges[c].coded) return;
    auto* out = divided.block->columns[c].data();
    const auto put = [&](Word entry, bool fresh) {
        *out++ = Wide::make(place_[Layout::row(entry)], Layout::label(entry), fresh);
    };
    const auto pass = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) put(entries[i], Layout::fresh(entries[i]));
    };
    if (!partial) {
        pass(0, range.size);
        return;
    }
    const Word* rows = node.block->columns[columns_].data() + members.begin;
    for (std::size_t i = 0; i < members.size; ++i) side_[Layout::row(rows[i])] = 0;
    for (std::size_t i = 0; i < range.size; ++i) side_[Layout::row(entries[i])] = 1;
    pass(0, range.below);
    bool fresh = true;
    for (std::size_t i = 0; i < members.size; ++i) {
        if (side_[Layout::row(rows[i])] != 0) continue;
        put(rows[i], fresh);
        fresh = false;
    }
    pass(range.below, range.size);
}

// Makes room for all samples.
template <typename P>
void Grower<P>::make_room() {
    const std::size_t samples = samples_.weight.size();
    side_.resize(samples);
    child_.resize(samples);
    twin_.resize(samples);
    if (absolute_) ranks_.resize(samples);
}

}  // namespace ramify
