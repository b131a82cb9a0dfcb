// Grows the trees of all folds in step, best-first. Pre-pruning looks at their errors after every
// few expansions and need not grow them to the end. Invariant: the losses of tree i of a sequence
// are those of i expansions, in every fold.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "columns/forms.hpp"
#include "grow/stepwise.hpp"
#include "prune/cross_validate.hpp"

namespace ramify {

class StepFolds {
  public:
    // Everything that is passed by reference must outlive it.
    StepFolds(const Problem& problem, const Folds& folds, const Judge& judge, Unseen unseen,
              Interrupt& interrupt);

    // Grows every tree to this number of expansions, and gives the losses of 0, 1, ..., expansions.
    // After an exception (an interruption, TimeUp) the object cannot be used.
    FoldLosses advance(std::int64_t expansions);
    bool finished() const;  // no tree can be expanded any more

  private:
    struct Fold {
        Problem problem;
        std::vector<std::uint8_t> others;
        std::vector<std::uint32_t> rows;
        std::unique_ptr<Stepwise> growth;
    };

    Problem problem_;
    Judge judge_;
    Unseen unseen_;
    Interrupt& interrupt_;
    std::vector<PredictColumn> columns_;
    ColumnForms forms_;
    std::vector<std::unique_ptr<Fold>> folds_;
};

}  // namespace ramify
