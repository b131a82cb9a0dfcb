// The encoded table, which growing, pruning and discretising read. It is encoded once and shared by
// all of them. Invariant: every column has the same number of rows; an order never changes after
// its column was added.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "support/choices.hpp"
#include "support/interrupt.hpp"
#include "table/order.hpp"

namespace ramify {

enum class Kind : std::uint8_t { numeric, ordinal, nominal };
template <>
inline constexpr auto names_of<Kind> = list_names("numeric", "ordinal", "nominal");

struct Column : Ordered {
    Kind kind = Kind::numeric;
    StridedNumbers values;  // numeric
    std::vector<std::int32_t>
        codes;  // ordinal and nominal: position among the levels, negative if missing
    std::size_t levels = 0;

    // The value of a known cell as a number: an ordinal level counts as its code.
    double value(std::size_t row) const {
        return kind == Kind::numeric ? values[row] : static_cast<double>(codes[row]);
    }
    bool missing(std::size_t row) const {
        return kind == Kind::numeric ? std::isnan(values[row]) : codes[row] < 0;
    }
};

class Table {
  public:
    explicit Table(std::size_t rows);
    Table(const Table&) = delete;

    std::size_t rows() const { return rows_; }
    std::size_t size() const { return columns_.size(); }
    const Column& operator[](std::size_t index) const { return columns_[index]; }
    std::size_t bytes() const;  // of the encoded columns, without the caller's own memory

    // The values are not copied. The caller keeps them alive and unchanged as long as the table
    // lives.
    // Columns that are added together are of one type.
    void add_numeric(const std::vector<StridedNumbers>& columns, int threads, Interrupt& interrupt);
    // Distinct numbers that ascend with the rows, or no numbers at all. Nobody asks for their
    // order, so it is not kept.
    void add_in_order(StridedNumbers values);
    // Gives the memory of a column's order to a tree that grows in it. Afterwards the table is used
    // up.
    RawVector<std::uint32_t> take_order(std::size_t index) {
        used_up_ = true;
        return std::move(columns_[index].order);
    }
    bool used_up() const { return used_up_; }

    void add_codes(Kind kind, std::vector<std::int32_t> codes, std::size_t levels);

  private:
    std::size_t rows_;
    std::vector<Column> columns_;
    std::atomic<bool> used_up_{false};
};

}  // namespace ramify
