// The rows in the form that the continuous search reads: columns that vary, dense codes, and the
// contributions of every row, which it adds to the loss of each prediction. Invariant: the loss of
// a set of rows depends only on the sum of their contributions. If `counting`, it is the number of
// rows outside the largest class.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "optimal/extent.hpp"
#include "optimal/leaf_loss.hpp"
#include "optimal/problem.hpp"

namespace ramify::optimal::continuous {

using Key = std::array<std::uint64_t, 2>;  // of a set: the exclusive or of its rows

struct Data {
    Data(const OptimalProblem& problem, const Limits& limits, const Switches& switches);

    std::size_t rows = 0;
    std::size_t classes = 0;  // of a classification
    std::size_t width = 0;    // contributions of a row
    bool regression = false;
    bool counting = false;  // weights and costs are 1: losses are counts
    std::int64_t min_leaf = 1;
    double sparsity = 0.0;
    double tolerance = 0.0;  // losses nearer than this are equal
    double max_stake = 0.0;
    bool neighbours = true;
    bool similarity = true;

    std::vector<std::int32_t> column;               // index in the problem
    std::vector<std::vector<std::int32_t>> codes;   // of the column, dense: 0, 1, ...
    std::vector<std::vector<std::int32_t>> values;  // dense code -> code of the problem
    std::vector<std::int32_t> labels;
    std::vector<double> contribution;   // rows x width; empty by ranks, where one of them is not 0
    std::optional<NumberLoss> numbers;  // the loss of a regression, unless it is the squared error
    std::vector<double> stake;          // LeafLoss::stake of a row
    std::vector<double> unavoidable;    // sums over a set of rows bound its loss from below
    std::vector<Key> keys;

    // Two classes become 1 and -1, as the walks of pair_kernel.hpp need them.
    std::int32_t walk_label(std::int32_t label) const {
        return classes == 2 ? 2 * label - 1 : label;
    }
    // Adds the contributions of a row.
    void add(std::size_t row, double* sums) const {
        if (by_ranks()) return numbers->add(row, sums);
        const double* more = contribution.data() + row * width;
        for (std::size_t p = 0; p < width; ++p) sums[p] += more[p];
    }
    bool by_ranks() const { return numbers && numbers->by_ranks(); }
    // The loss of rows whose contributions add up to `sums`.
    double loss(const double* sums) const {
        if (numbers) return (*numbers)(sums);
        if (regression) {
            return sums[0] > 0.0 ? std::max(0.0, sums[2] - sums[1] * sums[1] / sums[0]) : 0.0;
        }
        double best = sums[0];
        for (std::size_t p = 1; p < width; ++p) best = std::min(best, sums[p]);
        return std::max(0.0, best);
    }
    // The Gini index times the weight, as the contributions give it (exact if costs are 1).
    double impurity(const double* sums) const {
        if (regression) return loss(sums);
        double total = 0.0, squares = 0.0;
        for (std::size_t p = 0; p < width; ++p) total += sums[p];
        if (width < 2 || total <= 0.0) return 0.0;
        total /= static_cast<double>(width - 1);  // every row is wrong in all classes but one
        for (std::size_t p = 0; p < width; ++p) squares += (total - sums[p]) * (total - sums[p]);
        return total - squares / total;
    }
    // The trees of some rows that can be better than a leaf of this loss.
    Extent worthwhile(Extent extent, double leaf, std::size_t size) const {
        const auto fit = static_cast<std::int64_t>(size) / std::max<std::int64_t>(1, min_leaf);
        return extent.within(std::min(fit, leaves_below(leaf + sparsity, 0.0, sparsity)));
    }
    // How much lower the optimum of a set can be than that of the same set without `fewer` rows.
    // Without them, leaves may be too small and have to join their neighbours.
    double shrinkage(std::int64_t fewer, std::int64_t leaves) const {
        if (min_leaf <= 1) return 0.0;
        return static_cast<double>(std::min(fewer, leaves)) * static_cast<double>(min_leaf - 1) *
               max_stake;
    }
};

}  // namespace ramify::optimal::continuous
