// The losses of the best splits below a root column. For some of its thresholds and a child column:
// the loss of the rows left of each threshold after a split by the child column, and that of the
// rows right of it. Invariant: infinity if no split leaves enough rows. The thresholds ascend from
// lane to lane.
#pragma once

#include <array>
#include <vector>

#include "optimal/continuous/pair_kernel.hpp"
#include "optimal/continuous/rank_walk.hpp"
#include "optimal/continuous/subset.hpp"
#include "optimal/continuous/sum_kernel.hpp"

namespace ramify::optimal::continuous {

template <class T>
class PairLosses {
  public:
    explicit PairLosses(const Data& data);

    struct Lanes {
        int used = 0;
        alignas(64) std::array<T, kLanes> threshold{}, count{};
    };
    using Losses = std::array<double, kLanes>;

    void operator()(const Subset<T>& subset, std::size_t root, std::size_t child,
                    const Lanes& lanes, Losses& left, Losses& right);

  private:
    void count(const Subset<T>& subset, std::size_t root, std::size_t child, const Lanes& lanes,
               Losses& left, Losses& right);
    void least_sums(const Subset<T>& subset, std::size_t root, std::size_t child,
                    const Lanes& lanes, Losses& left, Losses& right);
    void sum(const Subset<T>& subset, std::size_t root, std::size_t child, const Lanes& lanes,
             Losses& left, Losses& right);
    void by_ranks(const Subset<T>& subset, std::size_t root, std::size_t child, const Lanes& lanes,
                  Losses& left, Losses& right);

    const Data& data_;
    PairKernels<T> kernels_;
    std::vector<T> scratch_;
    std::vector<std::uint8_t> first_lane_;
    std::vector<double> all_, sums_, rest_;
    std::vector<std::int64_t> rows_;
    RankWalk<T> walk_;
    std::vector<T> side_;             // rows on one side of a threshold
    std::vector<std::uint8_t> ends_;  // whether a threshold of the child column follows
    std::vector<double> prefix_, suffix_;
};

extern template class PairLosses<std::int16_t>;
extern template class PairLosses<std::int32_t>;

}  // namespace ramify::optimal::continuous
