#include "table/table.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "support/parallel.hpp"

namespace ramify {
namespace {

constexpr std::size_t most_columns = 8;  // encoded together: the doubles of a cache line

void find_mode(Column& column) {
    const auto& order = column.order;
    column.all_distinct = true;
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && (order[end] & new_value) == 0) ++end;
        if (end - begin > 1) column.all_distinct = false;
        if (end - begin > column.mode_count) {
            column.mode_begin = begin;
            column.mode_count = end - begin;
            column.mode_row = order[begin] & row_mask;
        }
        begin = end;
    }
}

}  // namespace

Table::Table(std::size_t rows) : rows_(rows) {
    if (rows > row_mask) throw std::length_error("a table holds at most 2**31 - 1 rows");
}

std::size_t Table::bytes() const {
    std::size_t sum = 0;
    for (const Column& column : columns_) {
        sum += column.order.size() * sizeof(std::uint32_t) +
               column.codes.size() * sizeof(std::int32_t);
    }
    return sum;
}

void Table::add_numeric(const std::vector<StridedDoubles>& columns, int threads,
                        Interrupt& interrupt) {
    const std::size_t first = columns_.size();
    columns_.resize(first + columns.size());
    // Columns of one row-major matrix are copied out side by side, so that each cache line is read
    // once, not once per column.
    const std::size_t shares = 2 * static_cast<std::size_t>(std::max(1, threads));
    const std::size_t block =
        std::clamp<std::size_t>((columns.size() + shares - 1) / shares, 1, most_columns);
    const std::size_t blocks = (columns.size() + block - 1) / block;
    struct Workspace {
        OrderWorkspace order;
        RawVector<double> copied;
    };
    std::vector<Workspace> workspaces(static_cast<std::size_t>(std::max(1, threads)));
    for_each_index(blocks, threads, [&](std::size_t index) {
        Workspace& workspace = workspaces[static_cast<std::size_t>(thread_index())];
        const std::size_t begin = index * block;
        const std::size_t end = std::min(begin + block, columns.size());
        const bool copy = columns[begin].stride != 1;
        std::array<Summary, most_columns> summaries{};
        if (copy && workspace.copied.size() < (end - begin) * rows_)
            workspace.copied.resize((end - begin) * rows_);
        // In tiles, so that what was copied is summarised while it is still in the cache.
        constexpr std::size_t tile = 1024;
        for (std::size_t row = 0; row < rows_; row += tile) {
            const std::size_t stop = std::min(row + tile, rows_);
            for (std::size_t r = row; r < stop && copy; ++r) {
                for (std::size_t c = begin; c < end; ++c) {
                    workspace.copied[(c - begin) * rows_ + r] = columns[c][r];
                }
            }
            for (std::size_t c = begin; c < end; ++c) {
                const double* from =
                    copy ? workspace.copied.data() + (c - begin) * rows_ : columns[c].data;
                summaries[c - begin].add(from + row, stop - row);
            }
        }
        for (std::size_t c = begin; c < end; ++c) {
            interrupt.poll();
            Column& column = columns_[first + c];
            column.kind = Kind::numeric;
            column.values = columns[c];
            const StridedDoubles source =
                copy ? StridedDoubles{workspace.copied.data() + (c - begin) * rows_, 1}
                     : columns[c];
            column.order = order_of_values(source, rows_, summaries[c - begin], workspace.order);
            find_mode(column);
        }
    });
}

void Table::add_codes(Kind kind, std::vector<std::int32_t> codes, std::size_t levels) {
    if (codes.size() != rows_) throw std::invalid_argument("a column has the wrong number of rows");
    const auto beyond = [&](std::int32_t code) {
        return code >= 0 && static_cast<std::size_t>(code) >= levels;
    };
    if (std::any_of(codes.begin(), codes.end(), beyond)) {
        throw std::invalid_argument("a code lies beyond the levels of its column");
    }
    Column& column = columns_.emplace_back();
    column.kind = kind;
    column.levels = levels;
    column.order = order_of_codes(codes, levels);
    column.codes = std::move(codes);
    find_mode(column);
}

}  // namespace ramify
