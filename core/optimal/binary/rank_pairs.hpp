// Depth two for losses by ranks (absolute error, quantiles). The rows of a node are read by target;
// after each distinct target, the four parts that two features make pay for the gap to the next
// one, see NumberLoss. Invariant: that of PairSolver.
#pragma once

#include "optimal/binary/pair_solver.hpp"

namespace ramify::optimal::binary {

class RankPairs final : public PairSolver {
  public:
    RankPairs(const BinaryTable& table, const Limits& limits, Monitor& monitor)
        : table_(table), numbers_(*table.loss.numbers()), limits_(limits), monitor_(monitor) {}

    void load(const Word* cover) override;
    void look_ahead() override;
    void children(std::size_t at, TwoLevels* with, TwoLevels* without) override;
    void overlap(std::size_t at, std::vector<double>& stake,
                 std::vector<std::int64_t>& rows) override;

  private:
    struct Row {
        std::int32_t rank;
        double weight, stake;
    };
    using Rows = std::vector<std::int32_t>;  // places in rows_, by target

    bool has(std::int32_t row, std::size_t feature) const {
        return has_[static_cast<std::size_t>(row) * features.size() + feature] > 0.0;
    }
    // The loss of a leaf of these rows that is large enough.
    double leaf_of(const Rows& rows) const;
    void evaluate(const Rows& rows, SplitLosses& losses, bool pairs);
    void weigh(const Rows& rows);

    const BinaryTable& table_;
    const NumberLoss& numbers_;
    const Limits& limits_;
    Monitor& monitor_;
    std::vector<Row> rows_;    // by target
    std::vector<double> has_;  // rows x features: 1 or 0
    Rows every_row_, branch_;
    SplitLosses scratch_;

    // Of the rows that are evaluated, by feature: weights and numbers of those that have it, and of
    // those that have a first feature too; and the weights of those that were read so far.
    std::vector<double> weight_, count_, both_weight_, both_count_, read_, both_read_;
    std::vector<double> price_[4];  // of the parts: both features, the first, the second, neither
};

}  // namespace ramify::optimal::binary
