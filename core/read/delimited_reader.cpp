#include "read/delimited_reader.hpp"

#include <algorithm>
#include <stdexcept>

#include "read/unicode.hpp"
#include "support/parallel.hpp"

namespace ramify {

DelimitedReader::DelimitedReader(DelimitedOptions options, CellRules rules,
                                 const std::vector<std::pair<std::size_t, CellKind>>& columns)
    : options_(std::move(options)), rules_(std::move(rules)), header_left_(options_.header) {
    const std::size_t width = options_.form.width;
    if (width == 0 || options_.form.delimiter.empty() || options_.block == 0) {
        throw std::invalid_argument("width, delimiter and block must not be empty");
    }
    for (const auto& [place, kind] : columns) {
        if (place >= width) {
            throw std::invalid_argument("column " + std::to_string(place) + " of " +
                                        std::to_string(width));
        }
        columns_.emplace_back(place, kind);
    }
    options_.threads = usable_threads(options_.threads);
    wanted_ = options_.block * static_cast<std::size_t>(options_.threads);
}

void DelimitedReader::add(std::string_view piece) {
    if (has_wrong_) return;
    text_ += piece;
    if (text_.size() >= wanted_) read_block(false);
}

void DelimitedReader::finish() {
    if (!has_wrong_) read_block(true);
}

void DelimitedReader::read_block(bool final) {
    const std::size_t used = find_records(final);
    const std::size_t width = options_.form.width;
    std::size_t found = 0;
    for (Stretch& stretch : stretches_) {
        stretch.skip = header_left_ && stretch.records.records > 0 ? 1 : 0;
        if (stretch.skip == 1) header_left_ = false;
        found += stretch.records.records - stretch.skip;
    }
    const int threads = std::min(options_.threads, static_cast<int>(stretches_.size()));
    for_each_index(
        columns_.size(), threads,
        [&](std::size_t j) { columns_[j].add(text_, stretches_, found, width, rules_); },
        Team::passing);
    has_wrong_ =
        std::ranges::any_of(columns_, [](const auto& one) { return one.wrong().has_value(); });
    if (has_wrong_) return;
    const std::size_t rows = rows_ + found;
    for (const Stretch& stretch : stretches_) {
        const auto& fault = stretch.records.fault;
        if (fault) fail(*fault, lines_ + fault->line + 1, rows + (header_left_ ? 0 : 1));
        lines_ += stretch.records.lines;
    }
    if (rows_ == 0 && found > 0 && options_.expected > text_.size()) {
        const double part = static_cast<double>(options_.expected) / static_cast<double>(used);
        const auto all = static_cast<std::size_t>(1.02 * part * static_cast<double>(found));
        for (TextColumn& column : columns_) column.reserve(all);
    }
    rows_ = rows;
    text_.erase(0, used);
    // A record without end is not looked for again with every piece.
    const std::size_t block = options_.block * static_cast<std::size_t>(options_.threads);
    wanted_ = used > 0 ? std::max(block, text_.size() + options_.block) : 2 * text_.size();
}

// Cuts the text into stretches, one for each thread, at line ends that are taken for the ends of
// records. A stretch that turns out to begin within a record is read again. Gives the end of the
// last record.
std::size_t DelimitedReader::find_records(bool final) {
    const std::size_t size = text_.size();
    const std::size_t most = static_cast<std::size_t>(options_.threads);
    const std::size_t count = std::clamp<std::size_t>(size / options_.block, 1, most);
    stretches_.resize(count);
    std::vector<std::size_t> starts(count + 1, size);
    for (std::size_t i = 0; i < count; ++i) {
        starts[i] = i == 0 ? 0 : std::max(starts[i - 1], begin_of_line(size / count * i));
    }
    const auto read = [&](std::size_t i, std::size_t start) {
        read_records(text_, start, starts[i + 1], final, options_.form, stretches_[i].records);
    };
    for_each_index(
        count, static_cast<int>(count), [&](std::size_t i) { read(i, starts[i]); }, Team::passing);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const Records& before = stretches_[i].records;
        if (before.fault || !before.complete) {
            stretches_.resize(i + 1);
            break;
        }
        if (before.end != starts[i + 1]) {
            starts[i + 1] = before.end;
            read(i + 1, before.end);
        }
    }
    return stretches_.back().records.end;
}

std::size_t DelimitedReader::begin_of_line(std::size_t at) const {
    const std::size_t found = text_.find_first_of("\n\r", at);
    if (found == std::string::npos) return text_.size();
    const bool two = text_[found] == '\r' && found + 1 < text_.size() && text_[found + 1] == '\n';
    return found + (two ? 2 : 1);
}

void DelimitedReader::fail(const Fault& fault, std::size_t line, std::size_t row) const {
    throw std::invalid_argument(describe(fault, line, row, options_.form));
}

std::optional<std::pair<std::size_t, WrongCell>> DelimitedReader::wrong() const {
    std::optional<std::pair<std::size_t, WrongCell>> first;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
        const auto& wrong = columns_[j].wrong();
        if (wrong && (!first || wrong->row < first->second.row)) first = {j, *wrong};
    }
    if (first) first->second.row += cleared_;
    return first;
}

void DelimitedReader::clear() {
    for (TextColumn& column : columns_) column.clear();
    cleared_ = rows_;
}

std::optional<std::vector<std::string>> first_record(std::string_view text, bool final,
                                                     const RecordForm& form) {
    // A line without end is refused before its cells take memory.
    if (text.size() > form.limits.row) {
        const std::size_t blank = std::min(text.find_first_not_of("\n\r"), text.size());
        const std::size_t line = std::min(text.find_first_of("\n\r", blank), text.size());
        if (count_characters(text.substr(blank, line - blank)) > form.limits.row) {
            const Fault fault{FaultKind::row_too_long, count_line_ends(text.substr(0, blank)), 0};
            throw std::invalid_argument(describe(fault, fault.line + 1, 1, form));
        }
    }
    Records found;
    read_records(text, 0, text.size(), final, form, found, 1);
    if (found.fault) {
        throw std::invalid_argument(describe(*found.fault, found.fault->line + 1, 1, form));
    }
    if (found.records == 0) return std::nullopt;
    std::vector<std::string> cells;
    std::string buffer;
    for (const Cell cell : found.cells) cells.emplace_back(text_of(text, cell, buffer));
    return cells;
}

}  // namespace ramify
