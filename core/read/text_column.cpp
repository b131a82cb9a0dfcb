#include "read/text_column.hpp"

#include <utility>

#include "read/unicode.hpp"

namespace ramify {

// Calls visit(cell, index) with the trimmed cells of the column, until it gives false.
template <typename Visit>
void TextColumn::visit(std::string_view text, std::span<const Stretch> stretches, std::size_t width,
                       Visit&& visit) const {
    std::string buffer;
    std::size_t index = 0;
    for (const Stretch& stretch : stretches) {
        const std::vector<Cell>& cells = stretch.records.cells;
        for (std::size_t at = stretch.skip * width + place_; at < cells.size(); at += width) {
            if (!visit(trim(text_of(text, cells[at], buffer)), index++)) return;
        }
    }
}

void TextColumn::add(std::string_view text, std::span<const Stretch> stretches, std::size_t rows,
                     std::size_t width, const CellRules& rules) {
    if (late_) return;
    if (kind_ == CellKind::text) {
        add_texts(text, stretches, rows, width, rules);
    } else if (!add_numbers(text, stretches, rows, width, rules) && kind_ == CellKind::open) {
        if (all_missing_) {
            kind_ = CellKind::text;
            numbers_ = {};
            codes_.assign(rows_, -1);
            add_texts(text, stretches, rows, width, rules);
        } else {
            late_ = true;
            numbers_ = {};
        }
    }
    rows_ += rows;
}

bool TextColumn::add_numbers(std::string_view text, std::span<const Stretch> stretches,
                             std::size_t rows, std::size_t width, const CellRules& rules) {
    const bool lenient = kind_ == CellKind::number;
    bool all_numbers = true, all_missing = true;
    numbers_.resize(rows_ + rows);
    double* const out = numbers_.data() + rows_;
    visit(text, stretches, width, [&](std::string_view cell, std::size_t index) {
        all_numbers = rules.read(cell, lenient, out[index]);
        if (!all_numbers && lenient) wrong_ = WrongCell{rows_ + index, std::string(cell)};
        if (all_missing && !rules.is_missing(cell)) all_missing = false;
        return all_numbers;
    });
    if (all_numbers) all_missing_ = all_missing_ && all_missing;
    return all_numbers;
}

void TextColumn::add_texts(std::string_view text, std::span<const Stretch> stretches,
                           std::size_t rows, std::size_t width, const CellRules& rules) {
    codes_.resize(rows_ + rows);
    std::int32_t* const out = codes_.data() + rows_;
    visit(text, stretches, width, [&](std::string_view cell, std::size_t index) {
        out[index] = rules.is_missing(cell) ? -1 : levels_.code_of(cell);
        return true;
    });
}

void TextColumn::reserve(std::size_t rows) {
    if (late_) return;
    if (kind_ == CellKind::text) {
        codes_.reserve(rows);
    } else {
        numbers_.reserve(rows);
    }
}

void TextColumn::clear() {
    rows_ = 0;
    numbers_.clear();
    codes_.clear();
    levels_.clear();
}

}  // namespace ramify
