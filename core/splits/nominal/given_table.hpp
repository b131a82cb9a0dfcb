// A contingency table as somebody gives it, for a search: checked and added up in one pass over it.
// Invariant: `table` has no level without weight; it points into the given one unless such levels
// had to be left out.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

class GivenTable {
  public:
    // Throws std::invalid_argument if a number is negative or not finite, or a sum is not finite.
    GivenTable(const double* counts, std::size_t levels, std::size_t classes);

    // Its support is the weight.
    const Contingency& table() const { return table_; }
    // From sides of the levels with weight to sides of all; those without go to the heavier side.
    void expand(NominalSplit& split) const;
    // Mean impurity of the two sides of a split that `expand` has not seen, by weight.
    double impurity(const NominalSplit& split, const Criterion& criterion) const;

  private:
    void leave_out_empty();

    Contingency table_;
    std::vector<double> given_weight_;  // of all levels
    std::vector<double> counts_, weight_, total_;
};

// The best split of a table that somebody gives, with sides for all its levels.
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
