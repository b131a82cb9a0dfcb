// What the search asks about the rows of a node: what each split costs, what it costs after one
// more split on either side, and the best tree of depth two on either side.
// Invariant: after load(), all arrays have one entry per feature that splits the rows as
// min_samples_leaf allows; of features that split them alike only the first is there.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "optimal/binary/binary_table.hpp"

namespace ramify::optimal {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// Loss and price of the best tree of depth two with at most so many leaves (1 to 4).
struct TwoLevels {
    std::array<double, 5> value{infinite, infinite, infinite, infinite, infinite};
    // The first split of the best with at most so many leaves; -1 a leaf.
    std::array<std::int32_t, 5> split{-1, -1, -1, -1, -1};

    static TwoLevels leaf(double value) {
        TwoLevels out;
        out.value = {infinite, value, value, value, value};
        return out;
    }
};

// Leaf losses of both branches of every split, and the least after one more split of each.
struct SplitLosses {
    std::vector<double> with, without, best_with, best_without;

    void resize(std::size_t features) {
        for (auto* values : {&with, &without, &best_with, &best_without}) values->resize(features);
    }
    TwoLevels two_levels(double leaf, double sparsity) const;
};

class PairSolver {
  public:
    virtual ~PairSolver() = default;

    virtual void load(const Word* cover) = 0;
    virtual void look_ahead() = 0;  // fills best_with and best_without of `losses`
    // The best trees of depth two of the branches that are asked for; needs look_ahead().
    virtual void children(std::size_t at, TwoLevels* with, TwoLevels* without) = 0;
    // What rows can cost, and how many they are, that have the feature `at` and each other one.
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
                                             int instructions);

}  // namespace ramify::optimal
