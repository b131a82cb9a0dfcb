// A column made from cells, block by block: numbers, or texts as codes of their levels.
//
// Invariant: a column whose kind is open holds numbers until a cell is none. It then becomes text
// if no number of an earlier block is lost by that; otherwise it is `late`, holds nothing, and has
// to be read again as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "read/cell_rules.hpp"
#include "read/levels.hpp"
#include "read/records.hpp"
#include "support/choices.hpp"

namespace ramify {

enum class CellKind { open, number, text };
template <>
inline constexpr auto names_of<CellKind> = list_names("open", "number", "text");

// Records beside the text they are in. The first `skip` are left out.
struct Stretch {
    Records records;
    std::size_t skip = 0;
};

struct WrongCell {
    std::size_t row;  // from 0, among all rows of the column
    std::string text;
};

class TextColumn {
  public:
    TextColumn(std::size_t place, CellKind kind) : place_(place), kind_(kind) {}

    // Adds the cells of `rows` records of `width` cells.
    void add(std::string_view text, std::span<const Stretch> stretches, std::size_t rows,
             std::size_t width, const CellRules& rules);
    void reserve(std::size_t rows);
    // Forgets the rows, but not the kind.
    void clear();

    bool is_text() const { return kind_ == CellKind::text; }
    bool is_late() const { return late_; }
    const std::optional<WrongCell>& wrong() const { return wrong_; }
    const Levels& levels() const { return levels_; }
    // These give the rows away.
    std::vector<double> take_numbers() { return std::move(numbers_); }
    std::vector<std::int32_t> take_codes() { return std::move(codes_); }

  private:
    template <typename Visit>
    void visit(std::string_view text, std::span<const Stretch> stretches, std::size_t width,
               Visit&& visit) const;
    bool add_numbers(std::string_view text, std::span<const Stretch> stretches, std::size_t rows,
                     std::size_t width, const CellRules& rules);
    void add_texts(std::string_view text, std::span<const Stretch> stretches, std::size_t rows,
                   std::size_t width, const CellRules& rules);

    std::size_t place_;
    CellKind kind_;
    std::size_t rows_ = 0;
    bool late_ = false;
    bool all_missing_ = true;  // so far, where the kind is open
    std::optional<WrongCell> wrong_;
    std::vector<double> numbers_;
    std::vector<std::int32_t> codes_;  // -1: missing
    Levels levels_;
};

}  // namespace ramify
