// A set of near-best trees: those of a graph within a radius that pass a filter, counted but not
// listed. Each subproblem has the number of its trees by cost and leaves. So the trees have an
// order (by cost, by leaves, by the order of the questions) in which any of them is found by its
// number. Invariant: counts are exact. A split of which both branches are leaves with the same
// answer is left out, unless idle splits are wanted.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "optimal/near/graph.hpp"

namespace ramify::optimal::near {

__extension__ using Count = unsigned __int128;

// How many trees of a subproblem have this cost and this number of leaves. If answers must keep an
// order, also between which answers their leaves lie, as the number of a range.
struct Bucket {
    Cost cost;
    std::int32_t leaves;
    std::int32_t range;
    Count count;
};

struct Filter {
    std::vector<std::uint8_t> excluded;  // by column; empty: none
    std::int32_t root_column = -1;       // that the root must ask; -1: any, or none
    std::int64_t max_leaves = std::numeric_limits<std::int64_t>::max();
    Cost most = std::numeric_limits<Cost>::max();
    bool idle = false;  // whether splits that change no answer are wanted
};

// Sums up over the parts of a tree: something of its splits, something of its leaves.
struct Measure {
    virtual ~Measure() = default;
    virtual double of_split(std::int32_t node, const Option& option) const = 0;
    virtual double of_leaf(std::int32_t node) const = 0;
};

class NearView {
  public:
    // Throws Full if the counts take more than `bytes`, std::overflow_error if there are more than
    // 2^127 trees.
    NearView(const NearGraph& graph, Filter filter, std::size_t bytes);

    const Filter& filter() const { return filter_; }
    Count count() const;
    const std::vector<Bucket>& buckets() const { return buckets_[NearGraph::root]; }

    // The tree of a number, as splits of the given features, and its cost.
    std::pair<Cost, NodeList> tree(Count number) const;
    // The least or the largest value of a measure, and the first tree of least cost that has it.
    std::pair<double, NodeList> extreme(const Measure& measure, bool largest) const;
    // The rows of every subproblem that the set reaches.
    template <typename Visit>
    void with_covers(Visit&& visit) const;
    // In how many of the trees each subproblem is a leaf.
    std::vector<double> leaf_counts() const;

  private:
    struct Pair {  // of buckets of both branches
        const Option* option;
        std::size_t left, right, to;
        bool idle;  // one of the pairs of trees is an idle split
    };

    void fill(std::int32_t node);
    bool allowed(std::int32_t node, const Option& option) const;
    bool leaf_allowed(std::int32_t node) const;
    bool idle(const Option& option) const;
    Cost most(std::int32_t node) const;
    std::int64_t most_leaves(std::int32_t node) const;
    // The bucket, or the first after it.
    std::size_t find(std::int32_t node, Cost cost, std::int32_t leaves, std::int32_t range) const;
    // The range of both branches together; -1: they break the order.
    std::int32_t joined(const Option& option, std::int32_t left, std::int32_t right) const;
    std::int32_t number_of(const monotone::Range& range) const;
    template <typename Visit>
    void pairs(std::int32_t node, Visit&& visit) const;
    std::int32_t write(std::int32_t node, std::size_t bucket, Count number, NodeList& to) const;
    struct Table;  // of the extreme values of a measure
    std::int32_t write_extreme(std::int32_t node, std::size_t bucket, const Table& table,
                               NodeList& to) const;
    void set_split(NodeList& to, std::size_t at, const Option& option, std::int32_t left,
                   std::int32_t right) const;
    template <typename Visit>
    void walk(std::int32_t node, const Word* cover, std::vector<std::uint8_t>& seen,
              Visit&& visit) const;

    const NearGraph& graph_;
    Filter filter_;
    std::size_t room_;  // buckets
    std::vector<std::vector<Bucket>> buckets_;
    std::vector<std::uint8_t> filled_;
    // All ranges are numbered while the buckets are filled.
    mutable std::vector<monotone::Range> ranges_;
    mutable std::map<std::pair<std::vector<monotone::Value>, std::vector<monotone::Value>>,
                     std::int32_t>
        number_of_;
};

template <typename Visit>
void NearView::with_covers(Visit&& visit) const {
    std::vector<std::uint8_t> seen(graph_.subproblems().size(), 0);
    walk(NearGraph::root, graph_.table().table->all.data(), seen, visit);
}

template <typename Visit>
void NearView::walk(std::int32_t node, const Word* cover, std::vector<std::uint8_t>& seen,
                    Visit&& visit) const {
    const auto at = static_cast<std::size_t>(node);
    if (seen[at] || buckets_[at].empty()) return;
    seen[at] = 1;
    visit(node, cover);
    Cover left, right;
    for (const Option& option : graph_.subproblems()[at].options) {
        if (!allowed(node, option)) continue;
        graph_.sides(option, cover, left, right);
        walk(option.left, left.data(), seen, visit);
        walk(option.right, right.data(), seen, visit);
    }
}

}  // namespace ramify::optimal::near
