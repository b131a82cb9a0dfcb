// First trees. The candidates at a node are the first split of its optimal tree of depth two, then
// the best split by impurity of each column, in the order of that impurity. Taking the i-th
// candidate costs i discrepancies. The last two levels are optimal. Without discrepancies and
// look-ahead this is a greedy tree. Invariant: trees keep the limits.
#pragma once

#include "optimal/continuous/search.hpp"

namespace ramify::optimal::continuous {

enum class Impurity { gini, entropy };

struct Guess {
    double value = kInfinity;
    NodeList tree;
};

template <class T>
class Discrepancy {
  public:
    Discrepancy(const Data& data, Search<T>& search, Impurity impurity, bool look_ahead)
        : data_(data), search_(search), impurity_(impurity), look_ahead_(look_ahead) {}

    // The best tree that costs less than `budget` and has at most this many discrepancies on the
    // way to any leaf. Infinity: there is none.
    Guess guess(const Subset<T>& subset, int depth, std::int64_t leaves, int discrepancies,
                double budget) const;

  private:
    struct Choice {
        double impurity = kInfinity;
        std::size_t slot = 0;
        std::int32_t threshold = 0;
        std::size_t position = 0;
        bool operator<(const Choice& other) const { return impurity < other.impurity; }
    };
    double impurity_of(const std::vector<double>& sums) const;
    std::vector<Choice> choices(const Subset<T>& subset) const;
    Choice look_ahead(const Subset<T>& subset) const;

    const Data& data_;
    Search<T>& search_;
    Impurity impurity_;
    bool look_ahead_;
};

extern template class Discrepancy<std::int16_t>;
extern template class Discrepancy<std::int32_t>;

}  // namespace ramify::optimal::continuous
