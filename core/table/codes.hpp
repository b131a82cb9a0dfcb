// A column of few distinct values as small integer codes: the form to count from. Invariant: codes
// ascend with the values; every code of a numeric or ordinal column occurs in the table, those of a
// nominal column are its levels; the missing cells of a nominal column have the code after these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "table/table.hpp"

namespace ramify {

struct CodedColumn {
    static constexpr std::size_t most_values = 65536;

    std::vector<std::uint16_t> codes;      // per row
    std::vector<std::uint32_t> first_row;  // numeric and ordinal: per code, a row that has it
    std::size_t levels = 0;                // nominal
    bool holes = false;                    // some cells are missing

    std::size_t values() const { return std::max(first_row.size(), levels); }
    // What is counted: the values, then the missing cells if there are any.
    std::size_t size() const { return values() + (holes ? 1 : 0); }
};

// Gives no codes if a numeric or ordinal column has missing cells, or if a column has too many
// values for counting to pay.
inline CodedColumn code_column(const Column& column, std::size_t rows) {
    CodedColumn coded;
    if (column.all_distinct) return coded;
    if (column.kind == Kind::nominal) {
        if (column.levels >= CodedColumn::most_values || column.levels * 4 > rows) return coded;
        coded.levels = column.levels;
        coded.holes = column.order.size() != rows;
        coded.codes.resize(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::int32_t code = column.codes[row];
            coded.codes[row] = static_cast<std::uint16_t>(code >= 0 ? code : column.levels);
        }
        return coded;
    }
    if (column.order.size() != rows) return coded;
    std::size_t values = 0;
    for (std::size_t i = 0; i < rows; ++i) values += column.order[i] >> 31;
    if (values < 2 || values > CodedColumn::most_values || values * 4 > rows) return coded;
    coded.codes.resize(rows);
    coded.first_row.reserve(values);
    for (std::size_t i = 0; i < rows; ++i) {
        const std::uint32_t row = column.order[i] & row_mask;
        if ((column.order[i] & new_value) != 0) coded.first_row.push_back(row);
        coded.codes[row] = static_cast<std::uint16_t>(coded.first_row.size() - 1);
    }
    return coded;
}

}  // namespace ramify
