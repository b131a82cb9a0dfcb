// Cross-validation of a pruning sequence. The tree of a fold is grown once, on the rows of the
// other folds, and judged on its own rows. All folds share one encoded table. Invariant: the result
// depends on the problem and the folds alone, never on threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/problem.hpp"
#include "prune/held_out.hpp"
#include "prune/retirement.hpp"

namespace ramify {

struct Folds {
    // Throws std::invalid_argument if there is not one number per row of the problem.
    Folds(const Problem& problem, std::span<const std::int32_t> folds, std::size_t n_folds);

    std::span<const std::int32_t> of_row;  // negative: takes no part
    std::size_t count = 0;

    std::vector<std::uint32_t> rows(std::size_t fold) const;
    // The other rows of the problem, marked.
    std::vector<std::uint8_t> others(std::size_t fold) const;
};

struct FoldLosses {
    std::vector<Losses> losses;
    std::vector<std::uint8_t> finished;  // 0: time ran out
};

// The same as a table, with zeros for the folds that are not finished.
struct LossTable {
    std::size_t folds = 0;
    std::size_t trees = 0;
    std::vector<double> sum, square;            // folds x trees
    std::vector<double> weight, weight_square;  // folds
    std::vector<std::int64_t> expansions;       // folds
};

// The table has columns for at least `trees` trees. All finished folds have losses of the same
// length.
LossTable loss_table(const FoldLosses& result, std::size_t trees);

// Where the tree of a fold is cut: if the keys count something, it may have more steps than the
// whole tree, from its own largest size down.
std::vector<double> thresholds_of_fold(const Tree& tree, const Retirement& retirement,
                                       std::span<const double> thresholds);

// `thresholds`: where the trees of the folds are cut. If the keys count something, the result
// begins with as many more trees as the largest tree of a fold has beyond the first threshold;
// `thresholds` are the last ones. A smaller fold has its whole tree in those places. `done` counts
// the finished folds.
FoldLosses cross_validate(const Problem& problem, const Folds& folds, const Retirement& retirement,
                          std::span<const double> thresholds, const Judge& judge, Unseen unseen,
                          Interrupt& interrupt, std::atomic<int>& done);

}  // namespace ramify
