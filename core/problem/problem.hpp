// What is to be grown: the table, the target, the criterion, the search and the parameters.
// Invariant: a problem owns nothing of this; see owned_problem.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "criteria/criterion.hpp"
#include "node/entry.hpp"
#include "node/parameters.hpp"
#include "problem/beginning.hpp"
#include "problem/constraints.hpp"
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
    // The part of every row that is there, which its weight includes; empty: all of it.
    std::span<const double> fractions{};
    const Criterion* criterion = nullptr;
    const NominalSearch* nominal = nullptr;  // classification, unless multiway
    GrowParameters parameters{};
    const Constraints* constraints = nullptr;
    // Marks the nodes of the skeleton whose conditions do not divide the rows that reach them.
    std::vector<std::uint8_t>* passed_over = nullptr;
    // Marks the rows that take part; empty: all rows. So trees can be grown on parts of a table, as
    // in cross-validation, without encoding it again.
    std::span<const std::uint8_t> included{};
    // The result of column_forms() for this problem, if several trees share it.
    const ColumnForms* forms = nullptr;
    Table* consumed =
        nullptr;  // the table, if it need not outlive the growth: its memory is grown in
    GrowMemory* memory = nullptr;          // of an earlier tree, reused for this one
    const Beginning* beginning = nullptr;  // below the root of a larger tree; null: at the root
    // The layout of entries for classes without weights, unless the smallest is to be chosen.
    std::optional<Entries> entries{};

    bool includes(std::size_t row) const {
        return (included.empty() || included[row] != 0) && (weights.empty() || weights[row] > 0.0);
    }
};

// Narrows a problem to the rows that are marked. Throws std::invalid_argument if none takes part.
void include_rows(Problem& problem, std::span<const std::uint8_t> included);

// Throws std::invalid_argument if the tree cannot have been grown on the problem.
void require_grown_on(const Problem& problem, const Tree& tree);

}  // namespace ramify
