// Sends the rows of a node to its branches as growth did. A row without a branch of its own is
// divided among all branches, in proportion to the weight of the rows that have one. Invariant: as
// long as no row is divided, parts are only reordered, so that the memory of a node holds the parts
// of its branches.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "problem/problem.hpp"
#include "reshape/reshaped.hpp"
#include "targets/samples.hpp"

namespace ramify {

using PartMemory = std::shared_ptr<std::vector<RowPart>>;

// The parts of a node, and their memory, which nodes may share.
struct NodeParts {
    std::span<RowPart> parts{};
    PartMemory memory{};
};

struct Division {
    std::vector<NodeParts> branches;  // of the node, then one per new level
    std::vector<double> proportions;
    std::vector<std::int32_t> new_levels;  // of a multiway split, ascending
};

class RowDivider {
  public:
    RowDivider(const Problem& problem, const Reshaped& tree, Unseen unseen);
    // `grain_rows`: the rows that the tree was grown from, of which these may be some, if they
    // weigh the same; 0: parts are not rounded.
    RowDivider(const Problem& problem, const Reshaped& tree, Unseen unseen, std::size_t grain_rows);

    // `fractions`: the parts of the rows that are there; empty: all of each row.
    NodeParts all_rows(std::span<const double> fractions = {}) const;
    double weight(const RowPart& part) const {
        return problem_.weights.empty() ? part.fraction
                                        : part.fraction * problem_.weights[part.row];
    }
    std::vector<double> class_weights(std::span<const RowPart> parts) const;
    Division divide(std::int32_t node, const NodeParts& from);

  private:
    void find_branches(std::int32_t node, std::span<const RowPart> parts, Division& division);
    void find_proportions(std::span<const RowPart> parts, Division& division) const;
    void move_parts(const NodeParts& from, Division& division);
    void spread_parts(std::span<const RowPart> parts, Division& division);
    void spread_part(const RowPart& part, std::size_t last, Division& division);

    const Problem& problem_;
    const Reshaped& tree_;
    Unseen unseen_;
    Samples rounding_;                  // of parts, so that their sums are exact, as in growth
    std::vector<std::int32_t> branch_;  // per part of the node at hand
    std::vector<RowPart> spare_;
};

}  // namespace ramify
