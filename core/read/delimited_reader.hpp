// Columns of a delimited text that arrives in pieces. Invariant: no more than the finished columns
// and one block of text are in memory, and what is read does not depend on pieces, blocks or
// threads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "read/cell_rules.hpp"
#include "read/records.hpp"
#include "read/text_column.hpp"

namespace ramify {

struct DelimitedOptions {
    RecordForm form;                           // its width is known
    bool header = false;                       // the first record is not a row
    std::size_t block = std::size_t{1} << 20;  // bytes that one thread reads at a time
    std::size_t expected = 0;                  // bytes of the whole text, if known
    int threads = 1;
};

class DelimitedReader {
  public:
    DelimitedReader(DelimitedOptions options, CellRules rules,
                    const std::vector<std::pair<std::size_t, CellKind>>& columns);

    // Takes the next piece of UTF-8 text, which may end anywhere. Malformed text is an
    // std::invalid_argument; once a cell is wrong, nothing more is read.
    void add(std::string_view piece);
    // Reads what is left.
    void finish();

    // The rows read so far.
    std::size_t rows() const { return rows_; }
    std::vector<TextColumn>& columns() { return columns_; }
    // The first cell, by rows, that is a text in a column of numbers; and the column's index.
    std::optional<std::pair<std::size_t, WrongCell>> wrong() const;
    // Forgets the rows that the columns hold.
    void clear();

  private:
    void read_block(bool final);
    std::size_t find_records(bool final);
    std::size_t begin_of_line(std::size_t at) const;
    [[noreturn]] void fail(const Fault& fault, std::size_t line, std::size_t row) const;

    DelimitedOptions options_;
    CellRules rules_;
    std::vector<TextColumn> columns_;
    std::string text_;
    std::size_t wanted_;  // bytes that make a block
    std::vector<Stretch> stretches_;
    std::size_t rows_ = 0, lines_ = 0, bytes_ = 0;
    std::size_t cleared_ = 0;  // rows that were given away
    bool header_left_;
    bool has_wrong_ = false;
};

// The first record of a text, or nothing if it does not end in the text and more may follow.
std::optional<std::vector<std::string>> first_record(std::string_view text, bool final,
                                                     const RecordForm& form);

}  // namespace ramify
