// The features of a problem as bits. Rows are ordered by class, and each class begins with a new
// word. Constant features are left out; of features that split the rows alike, the first is kept.
// Invariant: bits that stand for no row are zero, in features and in covers.
#pragma once

#include <cstdint>
#include <vector>

#include "optimal/leaf_loss.hpp"
#include "optimal/monitor.hpp"
#include "optimal/problem.hpp"

namespace ramify::optimal::binary {

using Word = std::uint64_t;
using Cover = std::vector<Word>;

struct BinaryTable {
    BinaryTable(const OptimalProblem& problem, bool find_equivalent_rows, Monitor& monitor);

    std::size_t features() const { return column.size(); }
    std::size_t words() const { return segment.back(); }
    const Word* feature(std::size_t f) const { return bits.data() + f * words(); }

    // The class weights of the rows of a cover, or the moments of their target.
    void sums(const Word* cover, double* out) const;
    std::int64_t rows(const Word* cover) const;
    // The loss that no tree avoids: of rows that differ in class and that no feature tells apart.
    double unavoidable(const Word* cover) const;

    LeafLoss loss;
    bool counting;  // rows of weight 1, every error costs 1: losses are whole numbers
    std::vector<std::int32_t> column;  // of the problem
    std::vector<std::size_t> segment;  // words of each class, one segment for a regression
    std::vector<Word> bits;            // features x words
    Cover all;
    std::vector<std::int32_t> row_at;  // row of each place, -1: none
    double stake_of_row = 1.0;         // regression: the most that a row of weight 1 can cost

  private:
    void place_rows(const OptimalProblem& problem);
    void pack(const OptimalProblem& problem, Monitor& monitor);
    void find_equivalent(Monitor& monitor);

    // The loss of the rows equal to that at a place, booked once.
    std::vector<double> unavoidable_at_;
    Cover with_unavoidable_;
};

}  // namespace ramify::optimal::binary
