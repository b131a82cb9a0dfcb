// The form in which growth reads every column. Invariant: it depends on the table and the
// parameters alone, so that several trees on one table can share it.
#pragma once

#include <vector>

#include "grow/problem.hpp"
#include "table/codes.hpp"

namespace ramify {

struct ColumnForms {
    std::vector<bool> hidden;        // the column's most frequent value has no entries
    std::vector<CodedColumn> coded;  // columns of few values, counted while a node is large
};

// `weighted`: rows carry weights from the root on.
ColumnForms column_forms(const Problem& problem, bool weighted);

// Whether some cells of the table are missing.
bool has_missing(const Table& table);

}  // namespace ramify
