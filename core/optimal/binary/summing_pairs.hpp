// Depth two with weights, costs, or a numeric target: sums over rows for all pairs of features.
// Invariant: as of PairSolver.
#pragma once

#include "optimal/binary/pair_solver.hpp"

namespace ramify::optimal {

class SummingPairs final : public PairSolver {
  public:
    SummingPairs(const BinaryTable& table, const Limits& limits) : table_(table), limits_(limits) {}

    void load(const Word* cover) override;
    void look_ahead() override;
    void children(std::size_t at, TwoLevels* with, TwoLevels* without) override;
    void overlap(std::size_t at, std::vector<double>& stake,
                 std::vector<std::int64_t>& rows) override;

  private:
    // Sums of a set of rows: of all, and for every feature of those that have it.
    struct Sums {
        std::vector<double> all;
        std::vector<double> single;  // channels x features
        std::vector<double> rows;    // features
        double count = 0.0;
    };

    void sum(const std::vector<std::int32_t>& rows, Sums& to) const;
    void split_losses(const Sums& sums, SplitLosses& losses) const;
    // Sums over the rows that have feature `at`: channels (the last counts rows) x features.
    void pair_sums(const std::vector<std::int32_t>& rows, std::size_t at);
    void evaluate(const std::vector<std::int32_t>& rows, const Sums& sums, SplitLosses& losses);
    TwoLevels solve(const std::vector<std::int32_t>& rows);
    double stake_of(const double* sums) const;
    double loss_of(const double* sums, double count) const;

    const BinaryTable& table_;
    const Limits& limits_;
    std::vector<double> has_;     // rows x features: 1 or 0
    std::vector<double> values_;  // rows x channels
    std::vector<std::int32_t> every_row_;
    std::vector<std::int32_t> branch_;
    Sums node_, child_;
    std::vector<double> both_;
    SplitLosses scratch_;
};

}  // namespace ramify::optimal
