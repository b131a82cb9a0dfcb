// The form in which growth reads every column. Invariant: it depends on the table and the
// parameters alone, so that several trees on one table can share it.
#pragma once

#include <vector>

#include "node/parameters.hpp"
#include "table/codes.hpp"
#include "table/table.hpp"

namespace ramify {

struct ColumnForms {
    std::vector<bool> sparse;        // the column's most frequent value has no entries
    std::vector<CodedColumn> coded;  // columns of few values, counted while a node is large
};

// What the forms depend on besides the table.
struct FormOptions {
    bool classification = true;
    bool in_order = false;  // the criterion needs the rows in order
    bool weighted = false;  // rows carry weights from the root on
};

ColumnForms column_forms(const Table& table, const GrowParameters& parameters,
                         const FormOptions& options);

// Whether some cells of the table are missing.
bool has_missing(const Table& table);

}  // namespace ramify
