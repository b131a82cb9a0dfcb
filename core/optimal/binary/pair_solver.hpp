// What the search needs to know about the rows of a node: the loss of each split, its loss after
// one more split on either side, and the best tree of depth two on either side. Invariant: after
// load(), all arrays have one entry per feature that splits the rows as min_samples_leaf allows. Of
// features that split them alike, only the first is there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "optimal/binary/binary_table.hpp"

namespace ramify::optimal::binary {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// Loss and price of the best tree of depth two, by the number of leaves that it may have (1 to 4).
struct TwoLevels {
    std::array<double, 5> value{infinite, infinite, infinite, infinite, infinite};
    // The first split of that tree, as a feature of the table; -1: none.
    std::array<std::int32_t, 5> split{-1, -1, -1, -1, -1};

    static TwoLevels leaf(double value) {
        TwoLevels out;
        out.value = {infinite, value, value, value, value};
        return out;
    }
};

// For every split: the losses of both branches as leaves, and the least after one more split of
// each.
struct SplitLosses {
    std::vector<double> with, without, best_with, best_without;

    void resize(std::size_t features) {
        for (auto* values : {&with, &without, &best_with, &best_without}) values->resize(features);
    }
    // `name(f)` is the number of a feature in the table.
    template <typename Name>
    TwoLevels two_levels(double leaf, double sparsity, Name&& name) const;
};

template <typename Name>
TwoLevels SplitLosses::two_levels(double leaf, double sparsity, Name&& name) const {
    TwoLevels best = TwoLevels::leaf(leaf + sparsity);
    const auto offer = [&](std::size_t leaves, double value, std::size_t split) {
        if (value < best.value[leaves]) {
            best.value[leaves] = value;
            best.split[leaves] = name(split);
        }
    };
    for (std::size_t f = 0; f < with.size(); ++f) {
        const double both = best_with[f] + best_without[f];
        const double one = std::min(best_with[f] + without[f], with[f] + best_without[f]);
        offer(2, with[f] + without[f] + 2 * sparsity, f);
        offer(3, one + 3 * sparsity, f);
        offer(4, both + 4 * sparsity, f);
    }
    for (std::size_t leaves = 2; leaves <= 4; ++leaves) {
        if (best.value[leaves - 1] <= best.value[leaves]) {
            best.value[leaves] = best.value[leaves - 1];
            best.split[leaves] = best.split[leaves - 1];
        }
    }
    return best;
}

class PairSolver {
  public:
    virtual ~PairSolver() = default;

    virtual void load(const Word* cover) = 0;
    // The best tree of depth two of the node itself; needs look_ahead().
    TwoLevels two_levels(double sparsity) const {
        return losses.two_levels(leaf, sparsity, [&](std::size_t f) { return features[f]; });
    }
    virtual void look_ahead() = 0;  // fills best_with and best_without of `losses`
    // The best trees of depth two of the branches that are not null; needs look_ahead().
    virtual void children(std::size_t at, TwoLevels* with, TwoLevels* without) = 0;
    // The stake and the number of the rows that have the feature `at` and each other feature.
    virtual void overlap(std::size_t at, std::vector<double>& stake,
                         std::vector<std::int64_t>& rows) = 0;

    std::int64_t rows = 0;
    double leaf = 0.0;                   // loss of the node as a leaf
    double stake = 0.0;                  // the most that its rows can cost
    std::vector<std::int32_t> features;  // of the table
    SplitLosses losses;
    std::vector<double> stake_with;
    std::vector<std::int64_t> rows_with;
};

std::unique_ptr<PairSolver> make_pair_solver(const BinaryTable& table, const Limits& limits,
                                             Monitor& monitor, int instructions);

}  // namespace ramify::optimal::binary
