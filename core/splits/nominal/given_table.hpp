// A contingency table from a caller, made ready for a search: checked and added up in one pass.
// Invariant: `table` has no level without weight. It points into the given table unless levels had
// to be left out.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

class GivenTable {
  public:
    // Throws std::invalid_argument if a number is negative or not finite, or a sum is not finite.
    GivenTable(const double* counts, std::size_t levels, std::size_t classes);

    // Its support is the weight.
    const Contingency& table() const { return table_; }
    // Turns sides of the levels with weight into sides of all levels. Levels without weight go to
    // the heavier side.
    void expand(NominalSplit& split) const;
    // The mean impurity of the two sides, by weight. The split must not have been expanded.
    double impurity(const NominalSplit& split, const Criterion& criterion) const;

  private:
    void leave_out_empty();

    Contingency table_;
    std::vector<double> given_weight_;  // of all levels
    std::vector<double> counts_, weight_, total_;
};

// The best split of a given table, with sides for all its levels.
struct GivenSplit : NominalSplit {
    double impurity = 0.0;  // mean of the two sides, by weight
};

struct GivenSearch {
    std::string method;
    NominalSearchOptions options{};
    double min_leaf = 0.0;
};

// None if no partition has weight and enough rows on both sides.
std::optional<GivenSplit> best_split(const double* counts, std::size_t levels, std::size_t classes,
                                     const GivenSearch& search, const Criterion& criterion,
                                     Interrupt& interrupt);

}  // namespace ramify
