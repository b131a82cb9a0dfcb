// The questions of near-best trees as bits, and losses as whole numbers. Every question of two
// answers stands alone: a threshold of a column is one question. Invariant: sums of losses are
// exact, so that trees tie or not whatever the order of adding; losses that are whole numbers stay
// what they are, others are rounded by less than 2^-40 of the loss of all rows.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "optimal/binary/binary_table.hpp"

namespace ramify::optimal::near {

using binary::Cover;
using binary::Word;
using Cost = std::int64_t;

// A split of the given features, and the column that it asks.
struct Question {
    std::int32_t feature, code, column;
};

// What a set of rows is as a leaf.
struct LeafFacts {
    Cost cost = 0;  // with the price of the leaf
    std::int64_t rows = 0;
    std::int32_t label = 0;   // the answer of least cost, the first of equals
    double prediction = 0.0;  // of a regression, from the centre of the target
    double impurity = 0.0;    // Gini index times weight, or the squared error
};

class NearTable {
  public:
    // `columns`: that of each feature of the problem.
    NearTable(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
              const Limits& limits, Monitor& monitor);
    NearTable(const NearTable&) = delete;

    std::size_t words() const { return table->words(); }
    const Word* bits(std::size_t question) const { return placed.data() + question * words(); }
    LeafFacts leaf(const Word* cover) const;
    // The cover of some rows, which ascend.
    Cover cover(const std::vector<std::int32_t>& rows) const;
    Cost fixed(double loss) const { return static_cast<Cost>(std::llround(loss * scale)); }
    double loss_of(Cost cost) const { return static_cast<double>(cost) / scale; }
    // The number that a leaf of a regression answers.
    double answer(const LeafFacts& leaf) const { return table->loss.centre() + leaf.prediction; }
    // Whether two leaves give the same answer.
    bool same_answer(const LeafFacts& a, const LeafFacts& b) const;

    OptimalProblem problem;  // one column a question
    Limits limits;
    std::vector<Question> questions;
    std::unique_ptr<binary::BinaryTable> table;
    double scale = 1.0;  // a power of two

  private:
    void add_questions(const OptimalProblem& given, const std::vector<std::int32_t>& columns,
                       Monitor& monitor);
    void place(Monitor& monitor);

    std::vector<std::vector<std::uint64_t>> by_row_;
    std::vector<Word> placed;  // questions x words, in the places of the table
    double tolerance_ = 0.0;   // of predictions
};

}  // namespace ramify::optimal::near
