// What is to be grown: the table, the target, and the parts that decide.
#pragma once

#include <cstdint>
#include <span>

#include "criteria/criterion.hpp"
#include "node/parameters.hpp"
#include "splits/nominal/search.hpp"
#include "support/interrupt.hpp"
#include "table/table.hpp"
#include "tree/tree.hpp"

namespace ramify {

struct ColumnForms;
struct GrowMemory;

struct Problem {
    const Table& table;
    std::span<const std::int32_t> labels{};  // classification
    std::size_t classes = 0;
    std::span<const double> target{};   // regression
    std::span<const double> weights{};  // empty: all 1; a row of weight 0 takes no part
    // How much of every row is there, as part of its weight; empty: all of it.
    std::span<const double> fractions{};
    const Criterion* criterion = nullptr;    // classification
    const NominalSearch* nominal = nullptr;  // classification, unless multiway
    GrowParameters parameters{};
    // Empty: all rows; otherwise the rows that take part are marked. How the parts of a table are
    // grown on, as in cross-validation, without encoding it anew.
    std::span<const std::uint8_t> included{};
    // Made by column_forms() for this problem, if several trees are grown on it.
    const ColumnForms* forms = nullptr;
    Table* consumed =
        nullptr;  // the table, if it need not outlive the growth: its memory is grown in
    GrowMemory* memory = nullptr;  // of an earlier tree, to be used; then of this one

    bool includes(std::size_t row) const {
        return (included.empty() || included[row] != 0) && (weights.empty() || weights[row] > 0.0);
    }
};

// Narrows a problem to the rows that are marked. Throws std::invalid_argument if none takes part.
void include_rows(Problem& problem, std::span<const std::uint8_t> included);

// Throws std::invalid_argument if the tree cannot have been grown on the problem.
void require_grown_on(const Problem& problem, const Tree& tree);

Tree grow(const Problem& problem, Interrupt& interrupt);

}  // namespace ramify
