#include "prune/cross_validate.hpp"

#include <algorithm>
#include <stdexcept>

#include "prune/fold_growth.hpp"

namespace ramify {

Folds::Folds(const Problem& problem, std::span<const std::int32_t> folds, std::size_t n_folds)
    : of_row(folds), count(n_folds) {
    if (of_row.size() != problem.table.rows()) throw std::invalid_argument("folds: wrong length");
}

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

std::vector<double> thresholds_of_fold(const Tree& tree, const Retirement& retirement,
                                       std::span<const double> thresholds) {
    std::vector<double> result;
    if (!retirement.continuous()) {
        for (double at = retirement.start(tree); at < thresholds.front(); at += 1.0)
            result.push_back(at);
    }
    result.insert(result.end(), thresholds.begin(), thresholds.end());
    return result;
}

namespace {

// For sizes beyond its own, the whole tree of a fold counts.
void lengthen(std::vector<double>& sums, std::size_t count) {
    if (!sums.empty()) sums.insert(sums.begin(), count - sums.size(), sums.front());
}

}  // namespace

LossTable loss_table(const FoldLosses& result, std::size_t trees) {
    const std::size_t folds = result.losses.size();
    for (const Losses& losses : result.losses) trees = std::max(trees, losses.sum.size());
    const std::vector<double> none(folds * trees, 0.0);
    const std::vector<double> nothing(folds, 0.0);
    LossTable table{
        folds, trees, none, none, nothing, nothing, std::vector<std::int64_t>(folds, 0)};
    for (std::size_t f = 0; f < folds; ++f) {
        if (result.finished[f] == 0) continue;
        const Losses& losses = result.losses[f];
        const auto at = static_cast<std::ptrdiff_t>(f * trees);
        std::copy(losses.sum.begin(), losses.sum.end(), table.sum.begin() + at);
        std::copy(losses.square.begin(), losses.square.end(), table.square.begin() + at);
        table.weight[f] = losses.weight;
        table.weight_square[f] = losses.weight_square;
        table.expansions[f] = losses.expansions;
    }
    return table;
}

FoldLosses cross_validate(const Problem& problem, const Folds& folds, const Retirement& retirement,
                          std::span<const double> thresholds, const Judge& judge, Unseen unseen,
                          Interrupt& interrupt, std::atomic<int>& done) {
    FoldLosses result{std::vector<Losses>(folds.count), {}};
    const std::vector<PredictColumn> columns = predict_columns(problem.table);
    // With a limit on leaves, a node that stays a leaf would leave more leaves to others.
    const std::int64_t most =
        std::min(problem.parameters.max_leaves, problem.parameters.max_expansions);
    Problem of_folds = problem;
    of_folds.parameters.labels_only = retirement.drops_equal_labels() && !has_weights(problem) &&
                                      most >= static_cast<std::int64_t>(problem.table.rows());
    const auto others = [&](std::size_t fold) { return folds.others(fold); };
    result.finished = grow_folds(
        of_folds, folds.count, others, interrupt, done, [&](std::size_t fold, const Tree& tree) {
            const std::vector<std::uint32_t> rows = folds.rows(fold);
            const std::vector<double> own = thresholds_of_fold(tree, retirement, thresholds);
            result.losses[fold] =
                held_out_losses(tree, retirement.keys(tree), own, judge,
                                HeldOut{columns, rows, problem.weights, unseen}, interrupt);
        });
    std::size_t longest = thresholds.size();
    for (const Losses& losses : result.losses) longest = std::max(longest, losses.sum.size());
    for (Losses& losses : result.losses) {
        lengthen(losses.sum, longest);
        lengthen(losses.square, longest);
    }
    return result;
}

}  // namespace ramify
