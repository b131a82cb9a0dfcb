// The decisions of error-based pruning, see error_based.hpp. Invariant: what is decided at a node
// depends on its subtree and on its rows alone, so that subtrees may be pruned in any order, each
// before the node above it, wherever their rows are counted.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "prune/error_based.hpp"
#include "prune/error_limit.hpp"
#include "reshape/reshaped.hpp"
#include "reshape/row_divider.hpp"

namespace ramify {

class ErrorPruner {
  public:
    enum class Outcome : std::uint8_t { kept, leaf, raised };
    // The errors expected if nothing is raised.
    static constexpr double no_branch = std::numeric_limits<double>::infinity();

    // Makes leaves of the subtrees that make no fewer errors on the training rows. `tree` and the
    // costs must outlive it. Throws std::invalid_argument if the tree has no classes, or for a
    // confidence out of range.
    ErrorPruner(const Tree& tree, const ErrorBasedOptions& options);

    Reshaped& nodes() { return tree_; }
    const Reshaped& nodes() const { return tree_; }

    // The errors expected of a leaf.
    double expected(std::span<const double> value) const;
    // The branch that may take the place of a node.
    std::int32_t heaviest(std::int32_t node) const;
    // Decides on an internal node whose branches are pruned, given the errors expected below its
    // heaviest branch if that took over all rows of the node. If the branch is raised, all rows
    // must be distributed again, and the node and all below it are to be decided again.
    Outcome decide(std::int32_t node, double raised);

    // Prunes a node and all below it. Without a divider, nothing is raised.
    void prune(std::int32_t top, const NodeParts& parts, RowDivider* divider,
               const Criterion& criterion, Interrupt& interrupt);

  private:
    double errors(std::span<const double> value) const;
    double expected_through(std::int32_t branch, const NodeParts& parts, RowDivider& divider,
                            Interrupt& interrupt) const;
    void redistribute(std::int32_t top, const NodeParts& parts, RowDivider& divider,
                      const Criterion& criterion);
    void collapse();

    std::span<const double> costs_;
    double largest_cost_ = 0.0;
    ErrorLimit limit_;
    Reshaped tree_;
    std::vector<double> expected_;  // of the subtree below a node, once its branches are pruned
};

}  // namespace ramify
