#include "read/records.hpp"

#include <array>
#include <cstring>

#include "read/unicode.hpp"

namespace ramify {
namespace {

std::string with_commas(std::size_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
    return digits;
}

class RecordReader {
  public:
    RecordReader(std::string_view text, bool final, const RecordForm& form, Records& found)
        : begin_(text.data()),
          end_(text.data() + text.size()),
          final_(final),
          form_(form),
          found_(found) {
        for (const char sign : {'\n', '\r', form.delimiter.front()}) {
            stops_[static_cast<unsigned char>(sign)] = true;
        }
    }

    void read(std::size_t start, std::size_t stop, std::size_t most) {
        at_ = begin_ + start;
        while (at_ < begin_ + stop && found_.records < most) {
            record_ = at_;
            const std::size_t first = found_.cells.size();
            if (!read_record()) {
                found_.cells.resize(first);
                at_ = record_;
                break;
            }
        }
        found_.end = static_cast<std::size_t>(at_ - begin_);
    }

  private:
    // The three ways in which reading ends before the record does. Each gives false.
    bool incomplete() {
        found_.complete = false;
        if (is_too_long(end_)) return row_too_long();
        return false;
    }
    // The line is looked at as a whole before its cells: if it makes the row too long, that counts.
    bool fail(FaultKind kind, const char* where) {
        const char* line_end = where;
        while (line_end != end_ && *line_end != '\n' && *line_end != '\r') ++line_end;
        if (line_end == end_ && !final_) return incomplete();
        if (line_end != end_ && line_end + 1 == end_ && *line_end == '\r' && !final_) {
            return incomplete();
        }
        if (line_end != end_) line_end += ends_in_two(line_end) ? 2 : 1;
        if (is_too_long(line_end)) return row_too_long();
        return report(kind, where);
    }
    bool row_too_long() {
        const std::string_view row(record_, static_cast<std::size_t>(end_ - record_));
        return report(FaultKind::row_too_long, record_ + find_character(row, form_.limits.row));
    }
    bool report(FaultKind kind, const char* where) {
        // A line feed in second place belongs to the line before it.
        if (where != record_ && where != end_ && *where == '\n' && where[-1] == '\r') --where;
        const std::string_view before(record_, static_cast<std::size_t>(where - record_));
        found_.fault = {kind, found_.lines + count_line_ends(before), cells_};
        return false;
    }

    bool is_too_long(const char* end) const {
        const auto size = static_cast<std::size_t>(end - record_);
        return size > form_.limits.row && count_characters({record_, size}) > form_.limits.row;
    }

    bool ends_in_two(const char* at) const {
        return *at == '\r' && at + 1 != end_ && at[1] == '\n';
    }
    bool at_delimiter() const {
        const std::string& delimiter = form_.delimiter;
        return *at_ == delimiter.front() &&
               (delimiter.size() == 1 ||
                (static_cast<std::size_t>(end_ - at_) >= delimiter.size() &&
                 std::memcmp(at_, delimiter.data(), delimiter.size()) == 0));
    }

    bool read_record() {
        if (*at_ == '\n' || *at_ == '\r') return end_line();
        cells_ = 0;
        for (;;) {
            while (at_ != end_ && *at_ == ' ') ++at_;
            const bool quoted = at_ != end_ && *at_ == '"';
            if (quoted ? !read_quoted() : !read_plain()) return false;
            if (at_ == end_ || !at_delimiter()) break;
            at_ += form_.delimiter.size();
        }
        const auto size = static_cast<std::size_t>(at_ - record_);
        const std::size_t inside = in_quotes_ ? count_line_ends({record_, size}) : 0;
        in_quotes_ = false;
        if (!end_line()) return false;
        if (is_too_long(at_) || (form_.width != 0 && cells_ != form_.width)) {
            --found_.lines;
            return is_too_long(at_) ? row_too_long() : report(FaultKind::width, record_);
        }
        found_.lines += inside;
        ++found_.records;
        return true;
    }

    // Behind the last cell of a record, or in an empty line.
    bool end_line() {
        if (at_ == end_) return final_ ? (++found_.lines, true) : incomplete();
        if (*at_ == '\r' && at_ + 1 == end_ && !final_) return incomplete();
        at_ += ends_in_two(at_) ? 2 : 1;
        ++found_.lines;
        return true;
    }

    bool read_plain() {
        const char* const first = at_;
        for (;; ++at_) {
            while (at_ != end_ && !stops_[static_cast<unsigned char>(*at_)]) ++at_;
            if (at_ == end_ || *at_ == '\n' || *at_ == '\r' || at_delimiter()) break;
        }
        return add(first, at_, 0);
    }

    bool read_quoted() {
        const char* const first = ++at_;
        std::size_t doubled = 0;
        for (;;) {
            const auto left = static_cast<std::size_t>(end_ - at_);
            const void* const found = left == 0 ? nullptr : std::memchr(at_, '"', left);
            if (found == nullptr) return read_open(first, end_, doubled);
            at_ = static_cast<const char*>(found) + 1;
            if (at_ == end_ || *at_ != '"') break;
            ++doubled;
            ++at_;
        }
        if (at_ == end_ && !final_) return read_open(first, at_ - 1, doubled);
        if (!add(first, at_ - 1, doubled)) return false;
        in_quotes_ = true;
        if (at_ == end_ || *at_ == '\n' || *at_ == '\r' || at_delimiter()) return true;
        if (form_.delimiter.size() > static_cast<std::size_t>(end_ - at_) && !final_) {
            return incomplete();
        }
        return fail(FaultKind::quote, at_);
    }

    // A quoted cell whose end is not in the text.
    bool read_open(const char* first, const char* last, std::size_t doubled) {
        if (is_too_long(first, last, doubled)) return cell_too_long(first, doubled != 0);
        if (!final_) return incomplete();
        if (is_too_long(end_)) return row_too_long();
        // The error counts the lines that there are: a line end is the end of the last line.
        const bool ended = end_[-1] == '\n' || end_[-1] == '\r';
        return report(FaultKind::end, ended ? end_ - 1 : end_);
    }

    bool add(const char* first, const char* last, std::size_t doubled) {
        if (is_too_long(first, last, doubled)) return cell_too_long(first, doubled != 0);
        // Cells beyond the width are counted, so that a row without end takes no memory.
        if (++cells_ > form_.width && form_.width != 0) return true;
        found_.cells.push_back({static_cast<std::uint32_t>(first - begin_),
                                static_cast<std::uint32_t>(last - first) & 0x7fffffffU,
                                doubled != 0});
        return true;
    }

    bool is_too_long(const char* first, const char* last, std::size_t doubled) const {
        const auto size = static_cast<std::size_t>(last - first);
        return size > form_.limits.cell &&
               count_characters({first, size}) - doubled > form_.limits.cell;
    }
    bool cell_too_long(const char* first, bool quoted) {
        const char* where = first;
        for (std::size_t i = 0; i < form_.limits.cell; ++i) {
            where += quoted && *where == '"' ? 2 : 1;
            while (where != end_ && (static_cast<unsigned char>(*where) & 0xc0) == 0x80) ++where;
        }
        return fail(FaultKind::cell_too_long, where);
    }

    const char* begin_;
    const char* end_;
    bool final_;
    const RecordForm& form_;
    Records& found_;
    const char* at_ = nullptr;
    const char* record_ = nullptr;
    std::size_t cells_ = 0;   // of the record
    bool in_quotes_ = false;  // a cell of the record was quoted: it may hold line ends
    std::array<bool, 256> stops_{};
};

}  // namespace

void Records::clear() {
    cells.clear();
    records = lines = end = 0;
    complete = true;
    fault.reset();
}

void read_records(std::string_view text, std::size_t start, std::size_t stop, bool final,
                  const RecordForm& form, Records& found, std::size_t most) {
    found.clear();
    RecordReader(text, final, form, found).read(start, stop, most);
}

std::string_view text_of(std::string_view text, Cell cell, std::string& buffer) {
    const std::string_view written = text.substr(cell.start, cell.size);
    if (cell.doubled == 0) return written;
    buffer.clear();
    for (std::size_t i = 0; i < written.size(); ++i) {
        buffer += written[i];
        if (written[i] == '"') ++i;
    }
    return buffer;
}

std::string describe(const Fault& fault, std::size_t line, std::size_t record,
                     const RecordForm& form) {
    const std::string place = "line " + std::to_string(line) + ": ";
    switch (fault.kind) {
        case FaultKind::width:
            return "data row " + std::to_string(record) + " has " + std::to_string(fault.cells) +
                   " cells, but the header has " + std::to_string(form.width);
        case FaultKind::quote:
            return place + "'" + form.delimiter + "' expected after '\"'";
        case FaultKind::end:
            return place + "unexpected end of data";
        case FaultKind::cell_too_long:
            return place + "a cell of more than " + with_commas(form.limits.cell) +
                   " characters, which is the most that is read; is a quote not closed?";
        case FaultKind::row_too_long:
            break;
    }
    return place + "a row of more than " + with_commas(form.limits.row) +
           " characters, which is the most that is read from a text file; longer rows can be read "
           "from Parquet";
}

}  // namespace ramify
