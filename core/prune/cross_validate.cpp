#include "prune/cross_validate.hpp"

#include <algorithm>

#include "grow/column_forms.hpp"
#include "grow/grow.hpp"
#include "grow/memory.hpp"
#include "support/parallel.hpp"

namespace ramify {

std::vector<std::uint32_t> Folds::rows(std::size_t fold) const {
    std::vector<std::uint32_t> result;
    for (std::size_t row = 0; row < of_row.size(); ++row) {
        if (of_row[row] == static_cast<std::int32_t>(fold))
            result.push_back(static_cast<std::uint32_t>(row));
    }
    return result;
}

std::vector<std::uint8_t> Folds::others(std::size_t fold) const {
    std::vector<std::uint8_t> result(of_row.size());
    for (std::size_t row = 0; row < of_row.size(); ++row) {
        result[row] = of_row[row] >= 0 && of_row[row] != static_cast<std::int32_t>(fold) ? 1 : 0;
    }
    return result;
}

FoldLosses cross_validate(const Problem& problem, const Folds& folds, const Retirement& retirement,
                          std::span<const double> thresholds, const Judge& judge, Unseen unseen,
                          Interrupt& interrupt, std::atomic<int>& done) {
    FoldLosses result{std::vector<Losses>(folds.count), std::vector<std::uint8_t>(folds.count, 0)};
    const std::vector<PredictColumn> columns = predict_columns(problem.table);
    const ColumnForms forms = column_forms(problem, has_weights(problem));
    // A limited number of leaves would be spent elsewhere.
    const std::int64_t most =
        std::min(problem.parameters.max_leaves, problem.parameters.max_expansions);
    const bool labels_only = retirement.drops_equal_labels() && !has_weights(problem) &&
                             most >= static_cast<std::int64_t>(problem.table.rows());
    const int threads = std::max(1, problem.parameters.threads);
    std::vector<GrowMemory> memory(static_cast<std::size_t>(threads));
    for_each_index(folds.count, threads, [&](std::size_t fold) {
        try {
            GrowMemory& own = memory[static_cast<std::size_t>(thread_index())];
            const std::vector<std::uint8_t> others = folds.others(fold);
            Problem part = problem;
            part.included = others;
            part.forms = &forms;
            part.memory = &own;
            part.parameters.threads = 1;           // the folds share them
            part.parameters.competitor_depth = 0;  // nobody reads them
            part.parameters.labels_only = labels_only;
            Tree tree = grow(part, interrupt);
            const std::vector<std::uint32_t> rows = folds.rows(fold);
            result.losses[fold] =
                held_out_losses(tree, retirement.keys(tree), thresholds, judge,
                                HeldOut{columns, rows, problem.weights, unseen}, interrupt);
            own.nodes = std::move(tree).release();
            result.finished[fold] = 1;
            done.fetch_add(1);
        } catch (const TimeUp&) {
            // What is finished counts.
        }
    });
    return result;
}

}  // namespace ramify
