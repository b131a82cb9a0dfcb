#include "columns/forms.hpp"

#include "support/parallel.hpp"

namespace ramify {

bool has_missing(const Table& table) {
    for (std::size_t c = 0; c < table.size(); ++c) {
        if (table[c].order.size() < table.rows()) return true;
    }
    return false;
}

ColumnForms column_forms(const Table& table, const GrowParameters& parameters,
                         const FormOptions& options) {
    const std::size_t rows = table.rows();
    const bool weighted = options.weighted;
    const bool missing = has_missing(table);
    ColumnForms forms{std::vector<bool>(table.size(), false),
                      std::vector<CodedColumn>(table.size())};
    if (options.in_order) return forms;
    // A value that most rows share need not be stored: its counts are those of the node minus the
    // counts of the other values. This pays if it saves more than the list of rows costs. With
    // weights, rounding would spoil the difference.
    if (!weighted) {
        std::size_t saved = 0;
        for (std::size_t c = 0; c < table.size(); ++c) {
            const Column& column = table[c];
            if (column.order.size() == rows && column.mode_count * 2 > rows) {
                forms.sparse[c] = true;
                saved += column.mode_count;
            }
        }
        if (!missing && saved < 2 * rows) forms.sparse.assign(table.size(), false);
    }
    // Below a node that divides rows, nothing is sparse.
    const bool dividing = !weighted && missing && parameters.missing == Missing::fractional;
    for_each_index(table.size(), parameters.threads, [&](std::size_t c) {
        if (forms.sparse[c] && !dividing) return;
        // Codes can only be counted; levels need the sums of their targets.
        const bool of_levels = table[c].kind == Kind::nominal ||
                               (table[c].kind == Kind::ordinal && parameters.merges());
        if (!options.classification && of_levels) return;
        forms.coded[c] = code_column(table[c], rows);
    });
    return forms;
}

}  // namespace ramify
