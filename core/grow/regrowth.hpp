// Tree after tree on one table, as in boosting: rows weigh something else each time, or have
// another target. Invariant: a tree is the one that grow() gives for its weights and target; what
// follows from the table alone is worked out once.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "grow/column_forms.hpp"
#include "grow/problem.hpp"

namespace ramify {

class Regrowth {
  public:
    // What the problem refers to must outlive it. The splits that lost are not remembered: nobody
    // reads them in hundreds of trees.
    explicit Regrowth(const Problem& problem);

    // One tree for each row of `weights` (trees x rows of the table). In regression `targets` is of
    // the same shape; in classification it is empty. Threads share the trees, or the columns of a
    // single one.
    std::vector<Tree> grow(std::span<const double> weights, std::span<const double> targets,
                           Interrupt& interrupt);

  private:
    Problem problem_;
    std::array<std::optional<ColumnForms>, 2> forms_;  // of rows that weigh the same, or not
};

}  // namespace ramify
