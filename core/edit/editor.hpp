// What an editor of trees asks of the core: versions of a tree, and what could be done at a node.
// Invariant: the table is encoded once; an edit reads the rows of its node alone, and a search the
// columns of these rows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "columns/forms.hpp"
#include "edit/divider.hpp"
#include "edit/edited_tree.hpp"
#include "edit/effects.hpp"

namespace ramify {

// A version, and the places of a demand that do not divide their rows.
struct Edited {
    std::shared_ptr<const EditedTree> tree{};
    std::vector<std::uint8_t> passed_over{};
    bool as_grown = true;  // open(): the numbers are those of the given tree
};

// What a search at a node keeps to.
struct SearchLimits {
    ColumnSet columns{};           // that may be asked for; empty: all
    std::vector<double> bounds{};  // see evaluate/branch_limits.hpp; empty: none
};

class TreeEditor {
  public:
    // What the problem refers to must outlive this.
    TreeEditor(const Problem& problem, HeldOutRows held_out, Unseen unseen);
    TreeEditor(const TreeEditor&) = delete;

    // The first version: the conditions of a tree on these rows.
    Edited open(const Tree& tree, Interrupt& interrupt) const;
    // A version with other conditions at a node and below.
    Edited replace(const EditedTree& tree, std::size_t node, const Demand& demand,
                   Interrupt& interrupt) const;
    // The same with the conditions of a tree that grew at the node.
    Edited replace(const EditedTree& tree, std::size_t node, const Tree& grown,
                   Interrupt& interrupt) const;

    // The same nodes, some of them with other tags.
    std::shared_ptr<const EditedTree> tag(const EditedTree& tree,
                                          std::span<const std::int64_t> nodes,
                                          std::span<const std::int64_t> tags,
                                          Interrupt& interrupt) const;

    // The best splits of a node by every column: a tree of one split with its competitors. It keeps
    // to no limit of growth but the least size of a leaf.
    Tree candidates(const EditedTree& tree, std::size_t node, const SearchLimits& limits,
                    Selection selection, Interrupt& interrupt);
    // The branch that grows at a node, up to a depth and a number of leaves of its own.
    Tree grow(const EditedTree& tree, std::size_t node, const SearchLimits& limits,
              std::optional<std::int64_t> max_depth, std::optional<std::int64_t> max_leaves,
              Interrupt& interrupt) const;

    // What conditions would do at a node.
    std::vector<Effect> effects(const EditedTree& tree, std::size_t node,
                                const std::vector<SkeletonNode>& asked, Interrupt& interrupt) const;
    // What ascending thresholds of a column would gain.
    std::vector<double> gains(const EditedTree& tree, std::size_t node, std::size_t column,
                              std::span<const double> thresholds, Interrupt& interrupt) const;

    const Problem& problem() const { return problem_; }
    const HeldOutRows& held_out() const { return held_out_; }

  private:
    NodePlan plan(const EditedTree& tree, std::size_t node, const Constraints& constraints) const;
    Edited finish(const EditedTree* before, std::size_t node, EditNode branch,
                  std::vector<std::uint8_t> passed_over, Interrupt& interrupt) const;
    EditNode bare(const EditedTree& tree, std::size_t node) const;

    Problem problem_;
    HeldOutRows held_out_;
    Unseen unseen_;
    NodeDivider divider_;
    Constraints constraints_;  // without a skeleton
    // Of the whole table, for rows that weigh the same and for others.
    std::array<std::optional<ColumnForms>, 2> forms_;
};

}  // namespace ramify
