// Depth two where errors are counted. Pairs of features are counted by AND and popcount over
// gathered rows. The counts of the larger branch are those of the node minus those of the smaller
// branch. Invariant: that of PairSolver.
#pragma once

#include <utility>

#include "optimal/binary/pair_solver.hpp"
#include "optimal/binary/row_set.hpp"

namespace ramify::optimal::binary {

template <typename T>
class CountingPairs final : public PairSolver {
  public:
    CountingPairs(const BinaryTable& table, const Limits& limits, Monitor& monitor,
                  int instructions)
        : table_(table),
          limits_(limits),
          monitor_(monitor),
          kernels_(pair_kernels<T>(instructions)),
          node_(kernels_),
          part_(kernels_) {}

    void load(const Word* cover) override;
    void look_ahead() override;
    void children(std::size_t at, TwoLevels* with, TwoLevels* without) override;
    void overlap(std::size_t at, std::vector<double>& stake,
                 std::vector<std::int64_t>& rows) override;

  private:
    struct Best {
        std::vector<T> with, without;
        PairBest<T> room(std::size_t stride);
    };

    template <typename Kernel>
    void in_steps(PairSet<T> set, Kernel&& kernel);
    TwoLevels solve(const RowSet<T>& set, Best& best);
    // `ids`: the features of the set, numbered as those of the node.
    TwoLevels conclude(const PairSet<T>& set, const std::vector<std::int32_t>& ids,
                       const Best& best);
    void both(const RowSet<T>& part, TwoLevels& of_part, TwoLevels& of_rest);
    std::pair<std::size_t, std::size_t> splitting(std::size_t at, bool with_is_part);
    void gather(const std::vector<Word>& mask, RowSet<T>& to, bool keep_all);

    const BinaryTable& table_;
    const Limits& limits_;
    Monitor& monitor_;
    const PairKernels<T>& kernels_;
    RowSet<T> node_, part_;
    std::vector<T> pairs_;
    bool keeps_pairs_ = true;  // if memory allows
    std::vector<T> overlap_;
    std::vector<T> rest_single_, rest_total_;
    std::vector<Word> mask_, rest_mask_;
    Best best_, best_rest_;
    SplitLosses scratch_;
};

extern template class CountingPairs<std::uint16_t>;
extern template class CountingPairs<std::uint32_t>;

}  // namespace ramify::optimal::binary
