// One thread's share of growth: its buffers, and the tree it adds to. Invariant: workers share
// nothing that they write but rows of different nodes.
#pragma once

#include <memory>
#include <vector>

#include "grow/builder.hpp"
#include "grow/route.hpp"
#include "grow/small_subtree.hpp"
#include "node/view.hpp"

namespace ramify {

template <Target P>
struct Worker {
    using Node = OpenNode<typename P::Word>;
    using NodePointer = std::unique_ptr<Node>;

    Worker(Builder& to, int many) : builder(to), threads(many) {}

    NodePointer fresh_node() {
        if (spare.empty()) return std::make_unique<Node>();
        NodePointer node = std::move(spare.back());
        spare.pop_back();
        return node;
    }
    // Room for the candidates of `nodes` nodes at once.
    void make_room(std::size_t nodes, std::size_t columns) {
        if (views.size() < nodes) views.resize(nodes);
        if (candidates.size() < nodes * columns) candidates.resize(nodes * columns);
    }

    Builder& builder;
    int threads;  // that it may use for the columns of one node
    std::vector<NodePointer> spare;
    // Of the nodes that are evaluated together: their views, and their candidates, node by node.
    std::vector<NodeView<typename P::Word>> views;
    std::vector<Candidate> candidates;
    Branches branches;
    std::unique_ptr<SmallSubtree<P>> small;
};

}  // namespace ramify
