// The records of delimited text, as places of their cells. A cell may be in double quotes, which
// are doubled within; then it may hold delimiters and line ends. Spaces before a cell are skipped,
// and so are lines without a sign.
//
// Invariant: the same text gives the same records and the same fault, however it is cut into
// stretches: reading stops before a record whose end is not there yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ramify {

struct RecordLimits {
    std::size_t row = std::size_t{1} << 26;   // characters, line ends included
    std::size_t cell = std::size_t{1} << 17;  // characters
};

struct RecordForm {
    std::string delimiter = ",";  // one character
    std::size_t width = 0;        // cells of every record; 0: as many as there are
    RecordLimits limits;
};

struct Cell {
    std::uint32_t start;
    std::uint32_t size : 31;
    std::uint32_t doubled : 1;  // it holds doubled quotes
};

enum class FaultKind { width, quote, end, cell_too_long, row_too_long };

struct Fault {
    FaultKind kind;
    std::size_t line;   // 0: the first line of the stretch
    std::size_t cells;  // of the record, for the wrong width
};

// What a stretch of text holds.
struct Records {
    std::vector<Cell> cells;  // by records
    std::size_t records = 0;
    std::size_t lines = 0;  // that have ended
    std::size_t end = 0;    // where the next record begins
    bool complete = true;   // no record was left for want of its end
    std::optional<Fault> fault;

    void clear();
};

// Reads the records that begin in [start, stop) of the text; the last may end behind it. `final`:
// no more text will follow. At most `most` records are read.
void read_records(std::string_view text, std::size_t start, std::size_t stop, bool final,
                  const RecordForm& form, Records& found, std::size_t most = SIZE_MAX);

// The text of a cell. `buffer` holds it where quotes were doubled.
std::string_view text_of(std::string_view text, Cell cell, std::string& buffer);

// "line 3: unexpected end of data", where `line` and `record` count from 1.
std::string describe(const Fault& fault, std::size_t line, std::size_t record,
                     const RecordForm& form);

}  // namespace ramify
