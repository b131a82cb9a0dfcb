// One version of a tree that is edited: its nodes, and the tree that they form. Invariant: a
// version never changes; an edit makes another one that shares all nodes but those of the edited
// branch and of the way to it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "edit/divider.hpp"
#include "edit/edit_node.hpp"

namespace ramify {

// What is asked at a node and below: conditions, the root first, each with the tag of its node.
struct Demand {
    std::vector<SkeletonNode> skeleton{};
    std::vector<std::int64_t> tags{};
};

class EditedTree {
  public:
    EditedTree(SharedNode root, const Problem& problem, Interrupt& interrupt);

    const SharedNode& root() const { return root_; }
    const Tree& tree() const { return tree_; }
    std::size_t size() const { return nodes_.size(); }
    const EditNode& operator[](std::size_t node) const { return *nodes_[node]; }
    // The tags of all nodes, by number.
    std::vector<std::int64_t> tags() const;
    // The leaves at and below a node, from left to right.
    std::vector<std::int32_t> leaves(std::size_t node) const;
    // The rows of a node, as they grew (`grown`), walk (`walked`) or were held out.
    SharedRows rows(std::size_t node, SharedRows LeafRows::* which, std::size_t total) const;
    // The conditions at and below a node.
    Demand demand(std::size_t node) const;
    // The root of a tree with another branch in the place of a node.
    SharedNode with(std::size_t node, EditNode branch) const;

  private:
    Tree make(const Problem& problem, Interrupt& interrupt);

    SharedNode root_;
    std::vector<const EditNode*> nodes_;  // by number
    Tree tree_;
};

// Makes the nodes of a branch whose root has these rows and numbers, by the conditions that are
// demanded. A condition that does not divide its rows is passed over; what it asks below goes on
// from the branch that has them. `passed_over` marks these.
EditNode make_branch(const NodeDivider& divider, const Demand& demand, EditNode root,
                     std::vector<std::uint8_t>& passed_over, int threads, Interrupt& interrupt);

// The conditions of a tree, as a demand. A level without a branch goes where most rows go.
Demand demand_of(const Tree& tree, const Table& table);
// Takes over the numbers, gains and competitors of a tree with the same conditions. False: its
// nodes have other rows, and nothing was taken over.
bool take_over(EditNode& root, const Tree& tree);

}  // namespace ramify
