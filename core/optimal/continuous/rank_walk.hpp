// Losses by ranks (absolute error, quantiles) of all prefixes and suffixes of an order of rows. The
// rows stand in a list by target, with a pointer to the quantile. A row is taken out in constant
// time, and the pointer then moves by few places; so one walk along the order gives the losses of
// all suffixes, and one back those of all prefixes. Invariant: the loss is that of NumberLoss, but
// for rounding.
#pragma once

#include <vector>

#include "optimal/continuous/subset.hpp"

namespace ramify::optimal::continuous {

template <class T>
class RankWalk {
  public:
    explicit RankWalk(const Data& data) : data_(data) {}

    // Takes the rows of a subset; they stay until another subset is taken.
    void load(const Subset<T>& subset);

    // `order`: some of the rows, by number in the subset. Then `prefix[i]` is the loss of the first
    // i + 1 of them, and `suffix[i]` that of the others.
    void walk(const std::vector<T>& order, std::vector<double>& prefix,
              std::vector<double>& suffix);

  private:
    void link(const std::vector<T>& order);
    void take_out(std::size_t row);
    void settle();  // moves the pointer to the quantile
    double loss() const;

    const Data& data_;
    std::size_t size_ = 0;
    Key key_{};
    bool loaded_ = false;
    std::vector<T> by_target_;
    std::vector<double> target_, weight_;  // from the centre of all
    std::vector<std::uint8_t> inside_;
    std::vector<std::int32_t> before_, after_;  // in the list; -1: none
    std::int32_t at_ = -1;
    double total_ = 0.0, moment_ = 0.0;        // of all rows in the list
    double below_ = 0.0, below_moment_ = 0.0;  // of those before the pointer
};

extern template class RankWalk<std::int16_t>;
extern template class RankWalk<std::int32_t>;

}  // namespace ramify::optimal::continuous
