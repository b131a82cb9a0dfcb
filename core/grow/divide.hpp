// Where rows start to be divided. A tree counts whole rows until a node splits by an attribute that
// some of its rows lack. Another grower, with weights, grows that node and all below it. Invariant:
// that grower gets the node value by value, so that the tree equals the one that weights of one
// would give from the root on.
#pragma once

#include "grow/grower.hpp"

namespace ramify {

template <Target P>
bool Grower<P>::divides(const Node& node) const {
    return !P::weighted && parameters_.missing == Missing::fractional && node.best.missing_to < 0 &&
           router_.lacks_values(node);
}

// Makes the node for the worker's grower of divided rows, and that grower when it is first needed.
template <Target P>
auto Grower<P>::divide(OwnWorker& worker, Node& node) -> typename Divided::NodePointer {
    if (!worker.divided) {
        worker.divided.reset(new DividedGrowth{Divided(problem_, interrupt_, &forms_.coded),
                                               {worker.builder, worker.threads}});
        worker.divided->grower.samples_.equal_weights = !parameters_.counts_pieces();
        worker.divided->grower.context_.centre = context_.centre;
        worker.divided->grower.samples_.deviance = samples_.deviance;
        worker.divided->grower.samples_.mean = samples_.mean;
        worker.divided->grower.samples_.part_count = samples_.part_count;
    }
    Divided& grower = worker.divided->grower;
    auto divided = worker.divided->worker.fresh_node();
    divided->id = node.id;
    divided->depth = node.depth;
    divided->parts.clear();
    divided->column = node.column;
    divided->log_p = node.log_p;
    divided->plan = node.plan;
    std::swap(divided->stats, node.stats);
    std::swap(divided->best, node.best);
    divided->bounds = node.bounds;
    divided->ranges.assign(columns() + 1, {});
    divided->block = std::make_shared<Block<typename Divided::Word>>();
    divided->block->columns.resize(columns() + 1);
    const std::span<const Word> rows = context_.cells.rows(node);
    Samples& samples = grower.samples_;
    const std::size_t first = samples.weight.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t row = Layout::row(rows[i]);
        router_.places()[row] = static_cast<std::uint32_t>(first + i);
        samples.source.push_back(row);
        if constexpr (!P::classification) samples.target.push_back(samples_.target[row]);
    }
    samples.weight.resize(first + rows.size(), 1.0);
    samples.support.resize(first + rows.size(), 1.0);
    if (parameters_.counts_pieces()) samples.parts.resize(first + rows.size(), 1.0);
    grower.router_.make_room();
    for (std::size_t c = 0; c <= columns(); ++c) divide_column(c, node, *divided);
    return divided;
}

// A counted column stays counted. In every other column each row gets an entry, including the rows
// of a value that is not stored.
template <Target P>
void Grower<P>::divide_column(std::size_t c, Node& node, typename Divided::Node& divided) {
    using Wide = typename Divided::Layout;
    const Range& range = node.ranges[c];
    Range& to = divided.ranges[c];
    to.constant = range.constant;
    if (range.constant) return;
    const Word* entries = node.block->columns[c].data() + range.begin;
    const std::span<const Word> rows = context_.cells.rows(node);
    const bool partial = c < columns() && context_.sparse[c] && range.size < rows.size();
    const bool coded =
        partial && forms_.coded[c].values() > 0 && context_.cells.pay(c, rows.size());
    to.coded = range.coded || coded;
    to.size = partial ? static_cast<std::uint32_t>(rows.size()) : range.size;
    divided.block->columns[c].resize(to.size);
    if (to.coded) return;
    auto* out = divided.block->columns[c].data();
    const auto put = [&](Word entry, bool fresh) {
        *out++ = Wide::make(router_.places()[Layout::row(entry)], Layout::label(entry), fresh);
    };
    const auto pass = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) put(entries[i], Layout::fresh(entries[i]));
    };
    if (!partial) {
        pass(0, range.size);
        return;
    }
    std::uint8_t* stored = router_.sides();
    for (const Word entry : rows) stored[Layout::row(entry)] = 0;
    for (std::size_t i = 0; i < range.size; ++i) stored[Layout::row(entries[i])] = 1;
    pass(0, range.below);
    bool fresh = true;
    for (const Word entry : rows) {
        if (stored[Layout::row(entry)] != 0) continue;
        put(entry, fresh);
        fresh = false;
    }
    pass(range.below, range.size);
}

}  // namespace ramify
