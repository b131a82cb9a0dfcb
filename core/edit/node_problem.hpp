// The problem of one node: its rows in a table of their own, with the parts that are there of them.
// Invariant: a tree that grows on it is what would grow at the node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "edit/kept_rows.hpp"
#include "problem/problem.hpp"

namespace ramify {

class NodeProblem {
  public:
    // The table has no columns yet. The larger problem must outlive this. `grain_rows`: see
    // Beginning.
    NodeProblem(const Problem& whole, const KeptRows& rows, std::size_t grain_rows);
    NodeProblem(const NodeProblem&) = delete;

    // All columns of the larger table.
    void take_columns(int threads, Interrupt& interrupt);
    // One column with the branch of every row; -1 is missing.
    void take_branches(std::vector<std::int32_t> branches, std::size_t count, bool ordered);

    std::span<const std::uint32_t> rows() const { return rows_; }
    // The problem without limits to the size of the tree, and without constraints. The parameters
    // may be changed; `beginning` belongs to it.
    Problem problem();
    Beginning beginning;

  private:
    const Problem& whole_;
    std::vector<std::uint32_t> rows_;  // whole and divided, ascending
    Table table_;
    std::vector<std::vector<double>> numbers_;
    std::vector<std::int32_t> labels_;
    std::vector<double> target_, weights_, fractions_;
};

// The limits of growth that an edit by hand does not keep to.
void lift_limits(GrowParameters& parameters);

}  // namespace ramify
