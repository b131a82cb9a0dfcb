#include "prune/step_folds.hpp"

#include <algorithm>

#include "grow/grow.hpp"
#include "prune/best_first.hpp"
#include "support/parallel.hpp"

namespace ramify {

StepFolds::StepFolds(const Problem& problem, const Folds& folds, const Judge& judge, Unseen unseen,
                     Interrupt& interrupt)
    : problem_(problem),
      judge_(judge),
      unseen_(unseen),
      interrupt_(interrupt),
      columns_(predict_columns(problem.table)),
      forms_(forms_of(problem, has_weights(problem))),
      folds_(folds.count) {
    for_each_index(folds.count, problem.parameters.threads, [&](std::size_t f) {
        folds_[f] = std::make_unique<Fold>(Fold{problem_, folds.others(f), folds.rows(f), nullptr});
        Problem& part = folds_[f]->problem;
        part.included = folds_[f]->others;
        part.forms = &forms_;
        part.parameters.threads = 1;           // the folds share them
        part.parameters.competitor_depth = 0;  // nobody reads them
        part.parameters.growth = Growth::best_first;
        folds_[f]->growth = grow_stepwise(part, interrupt_);
    });
}

FoldLosses StepFolds::advance(std::int64_t expansions) {
    // Thresholds must ascend, so the trees come from the largest to the smallest; the losses are
    // reversed below.
    std::vector<double> thresholds;
    for (std::int64_t i = expansions; i >= 0; --i) thresholds.push_back(-static_cast<double>(i));
    FoldLosses result{std::vector<Losses>(folds_.size()),
                      std::vector<std::uint8_t>(folds_.size(), 1)};
    for_each_index(folds_.size(), problem_.parameters.threads, [&](std::size_t f) {
        Fold& fold = *folds_[f];
        fold.growth->advance(expansions);
        const Tree tree = fold.growth->tree();
        Losses& losses = result.losses[f];
        losses = held_out_losses(
            tree, BestFirst(problem_.parameters.weigh_gains).keys(tree), thresholds, judge_,
            HeldOut{columns_, fold.rows, problem_.weights, unseen_}, interrupt_);
        std::reverse(losses.sum.begin(), losses.sum.end());
        std::reverse(losses.square.begin(), losses.square.end());
    });
    return result;
}

bool StepFolds::finished() const {
    return std::all_of(folds_.begin(), folds_.end(),
                       [](const auto& fold) { return fold->growth->finished(); });
}

}  // namespace ramify
