// Divides the rows of a node by a condition, as growth does it, and works out what the branches
// hold. Invariant: gain, sums and parts are those that growth gives the same split of the same
// rows; a branch without rows is left out.
#pragma once

#include <cstdint>
#include <vector>

#include "edit/edit_node.hpp"
#include "problem/problem.hpp"

namespace ramify {

// Rows that the tree has not seen.
struct HeldOutRows {
    std::vector<PredictColumn> columns{};
    std::size_t rows = 0;
};

struct NodeDivision {
    // The branches of the condition that have rows. Fewer than two: it does not divide the node.
    std::vector<std::int32_t> kept{};
    double gain = 0.0;
    std::int32_t missing_to = -1;  // among the branches that are kept, as what follows
    std::vector<NodeNumbers> numbers{};
    std::vector<double> proportions{};
    std::vector<LeafRows> rows{};
    std::vector<std::int32_t> branch_of_code{};
    // The levels that rows of the node have.
    std::vector<std::pair<std::int32_t, std::int32_t>> levels{};
};

class NodeDivider {
  public:
    // All must outlive this.
    NodeDivider(const Problem& problem, const HeldOutRows& held_out, Unseen unseen);

    // All rows that take part, and those held out.
    LeafRows all_rows() const;
    NodeNumbers numbers(const KeptRows& rows, Interrupt& interrupt) const;
    NodeDivision divide(const LeafRows& rows, const NodeNumbers& node, const SkeletonNode& asked,
                        Interrupt& interrupt) const;
    // See Beginning.
    std::size_t grain_rows() const { return grain_rows_; }

  private:
    // The branch of every row of a node, or why it has none.
    struct Branches {
        std::vector<std::int32_t> whole{}, divided{};
    };
    double weight(std::uint32_t row) const {
        return problem_.weights.empty() ? 1.0 : problem_.weights[row];
    }
    void keep(const Branches& branches, const SkeletonNode& asked, NodeDivision& to) const;
    void find_proportions(const KeptRows& rows, const Branches& branches, NodeDivision& to) const;
    void weigh(const KeptRows& rows, const NodeNumbers& node, const Branches& branches,
               NodeDivision& to) const;
    void grow(const KeptRows& rows, const Branches& branches, bool ordered, NodeDivision& to,
              Interrupt& interrupt) const;
    void list_levels(const KeptRows& rows, const Column& column, NodeDivision& to) const;
    std::vector<SharedRows> send(const KeptRows& rows, const Branches& branches,
                                 const NodeDivision& by) const;
    template <typename Column>
    std::vector<SharedRows> walk(const KeptRows& rows, const Column& column,
                                 const SkeletonNode& asked, const NodeDivision& by) const;

    const Problem& problem_;
    const HeldOutRows& held_out_;
    Unseen unseen_;
    std::size_t grain_rows_ = 0;
};

}  // namespace ramify
