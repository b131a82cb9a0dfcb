// A tree that changes: nodes become leaves, a branch takes the place of its parent, rows are
// distributed again. Invariant: on every path, the split of an upper node was grown before that of
// a lower one, so that expansions keep their order.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "criteria/criterion.hpp"
#include "table/table.hpp"
#include "tree/tree.hpp"

namespace ramify {

// A part of a row of the table.
struct RowPart {
    std::uint32_t row;
    double fraction;
};

class Reshaped {
  public:
    // What branch() gives in place of a branch:
    static constexpr std::int32_t missing = -1;  // the cell is empty
    static constexpr std::int32_t unseen = -2;   // the level is on neither side of a subset
    static constexpr std::int32_t absent = -3;   // the level has no branch in a multiway split

    struct Node {
        std::int32_t origin = 0;  // the node of the tree that its condition comes from
        std::int64_t rows = 0;
        double proportion = 1.0;
        double impurity = 0.0;
        std::vector<std::int32_t> children{};  // none: a leaf
        // Levels that a multiway split got when it was raised: code, branch.
        std::vector<std::pair<std::int32_t, std::int32_t>> levels{};
    };

    explicit Reshaped(const Tree& tree);

    std::size_t size() const { return nodes_.size(); }
    const Node& operator[](std::int32_t node) const {
        return nodes_[static_cast<std::size_t>(node)];
    }
    // Whether a skeleton demands its split.
    bool forced(std::int32_t node) const {
        return !leaf(node) && from_.forced(static_cast<std::size_t>((*this)[node].origin));
    }
    bool leaf(std::int32_t node) const { return (*this)[node].children.empty(); }
    std::span<const double> value(std::int32_t node) const {
        return {values_.data() + static_cast<std::size_t>(node) * width_, width_};
    }
    double weight(std::int32_t node) const;

    void retire(std::int32_t node) { at(node).children.clear(); }
    // Puts a child in the place of its parent. The node keeps the rows of the parent.
    void raise(std::int32_t node, std::int32_t child);
    // Adds a branch for a level that a multiway split did not have.
    void add_branch(std::int32_t node, std::int32_t code);
    void set_rows(std::int32_t node, std::int64_t rows, std::span<const double> value,
                  const Criterion& criterion);
    void set_proportion(std::int32_t node, double proportion) { at(node).proportion = proportion; }

    // The branch that the condition of an internal node gives a row, or why there is none.
    std::int32_t branch(std::int32_t node, const Table& table, std::size_t row) const;
    std::int32_t missing_to(std::int32_t node) const {
        return from_.missing_to[static_cast<std::size_t>((*this)[node].origin)];
    }
    std::int32_t code(std::int32_t node, const Table& table, std::size_t row) const;

    // The tree as it is now. Its nodes are in the order of their creation, with expansions in the
    // order of the original tree.
    Tree tree() const;

  private:
    Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
    std::vector<std::int32_t> expansions() const;
    void append(TreeArrays& to, std::int32_t node) const;

    const Tree& tree_;
    const TreeArrays& from_;
    std::size_t width_;
    std::vector<Node> nodes_;
    std::vector<double> values_;
};

}  // namespace ramify
