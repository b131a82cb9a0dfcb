// Depth two with weights, costs, or a numeric target: sums over rows for all pairs of features.
// Invariant: that of PairSolver.
#pragma once

#include "optimal/binary/pair_solver.hpp"

namespace ramify::optimal::binary {

class SummingPairs final : public PairSolver {
  public:
    SummingPairs(const BinaryTable& table, const Limits& limits, Monitor& monitor)
        : table_(table), limits_(limits), monitor_(monitor), width_(table.loss.width() + 1) {}

    void load(const Word* cover) override;
    void look_ahead() override;
    void children(std::size_t at, TwoLevels* with, TwoLevels* without) override;
    void overlap(std::size_t at, std::vector<double>& stake,
                 std::vector<std::int64_t>& rows) override;

  private:
    using Rows = std::vector<std::int32_t>;  // places in the node

    // Sums of a set of rows: those of LeafLoss, then the number of rows.
    struct Sums {
        std::vector<double> all;
        std::vector<double> single;  // of the rows that have a feature: features x width
    };

    bool has(std::int32_t row, std::size_t feature) const {
        return words_of(row)[feature / 64] >> feature % 64 & 1;
    }
    const Word* words_of(std::int32_t row) const {
        return bits_.data() + static_cast<std::size_t>(row) * row_words_;
    }
    void add_row(std::int32_t row, double* by_feature) const;
    void sum(const Rows& rows, Sums& to) const;
    void split_losses(const Sums& sums, SplitLosses& losses) const;
    void evaluate(const Rows& rows, const Sums& sums, SplitLosses& losses);
    TwoLevels solve(const Rows& rows);
    void pair_sums(const Rows& rows, std::size_t at);  // fills both_
    double stake_of(const double* sums) const;
    double loss_of(const double* sums) const;

    const BinaryTable& table_;
    const Limits& limits_;
    Monitor& monitor_;
    std::size_t width_;  // of the sums: one more than those of the loss
    std::size_t row_words_ = 0;
    std::vector<Word> bits_;      // rows x row_words_
    std::vector<double> values_;  // rows x width
    Rows every_row_, branch_;
    Sums node_, child_;
    std::vector<double> both_;  // of the rows that have one feature and another: features x width
    SplitLosses scratch_;
};

}  // namespace ramify::optimal::binary
