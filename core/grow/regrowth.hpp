// Many trees on one table, as in boosting: each has its own weights or its own target. Invariant:
// each tree is the one that grow() gives for its weights and target. What depends on the table
// alone is computed once.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "columns/forms.hpp"
#include "problem/problem.hpp"

namespace ramify {

class Regrowth {
  public:
    // What the problem refers to must outlive it. Competitors are not remembered: nobody reads
    // those of hundreds of trees.
    explicit Regrowth(const Problem& problem);

    // One tree for each row of `weights` (trees x rows of the table). In regression `targets` has
    // the same shape; in classification it is empty. Threads share the trees, or the columns of a
    // single tree.
    std::vector<Tree> grow(std::span<const double> weights, std::span<const double> targets,
                           Interrupt& interrupt);

  private:
    Problem problem_;
    // For rows that weigh the same, and for others.
    std::array<std::optional<ColumnForms>, 2> forms_;
};

}  // namespace ramify
