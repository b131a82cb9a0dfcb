#include "table/table.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "support/parallel.hpp"

namespace ramify {
namespace {

constexpr std::size_t most_columns = 8;  // encoded together: the doubles of a cache line
constexpr std::size_t tile = 256;        // rows that stay in the cache while columns take turns

// Some columns of a matrix, copied out side by side so that each cache line is read once, not once
// per column.
template <Number T>
class Encoder {
  public:
    explicit Encoder(std::size_t rows) : rows_(rows) {}

    void encode(std::span<const StridedNumbers> columns, std::span<Column> to,
                Interrupt& interrupt) {
        const std::size_t cells = columns.size() * rows_;
        if (numbers_.size() < cells) numbers_.resize(cells);
        const bool strided = std::any_of(columns.begin(), columns.end(),
                                         [](const auto& column) { return column.stride != 1; });
        if (strided && values_.size() < cells) values_.resize(cells);
        copies_.fill({});
        for (std::size_t row = 0; row < rows_; row += tile) {
            const std::size_t stop = std::min(row + tile, rows_);
            for (std::size_t c = 0; c < columns.size(); ++c) read(c, columns[c].as<T>(), row, stop);
        }
        for (std::size_t c = 0; c < columns.size(); ++c) {
            interrupt.poll();
            to[c].kind = Kind::numeric;
            to[c].values = columns[c];
            static_cast<Ordered&>(to[c]) = order(c, columns[c].as<T>());
        }
    }

  private:
    struct Copy {
        bool small = true;  // all numbers so far are small
        Summary summary;
    };

    void read(std::size_t c, Strided<T> column, std::size_t begin, std::size_t end) {
        Copy& copy = copies_[c];
        if (copy.small) {
            copy.small = to_small_numbers(column, begin, end, numbers_.data() + c * rows_);
            if (copy.small) return;
            begin = 0;  // the first that is not small: start again from the first row
        }
        const T* values = column.data;
        if (column.stride != 1) {
            T* to = values_.data() + c * rows_;
            for (std::size_t row = begin; row < end; ++row) to[row] = static_cast<T>(column[row]);
            values = to;
        }
        copy.summary.add(values + begin, end - begin);
    }

    Ordered order(std::size_t c, Strided<T> column) {
        const std::size_t first = c * rows_;
        if (copies_[c].small)
            return order_of_small_numbers({numbers_.data() + first, rows_}, workspace_);
        const T* values = column.stride != 1 ? values_.data() + first : column.data;
        return order_of_values(std::span(values, rows_), copies_[c].summary, workspace_);
    }

    std::size_t rows_;
    std::array<Copy, most_columns> copies_;
    RawVector<SmallNumber> numbers_;  // column by column
    RawVector<T> values_;
    OrderWorkspace workspace_;
};

template <Number T>
void encode_all(std::span<const StridedNumbers> columns, std::span<Column> to, std::size_t rows,
                int threads, Interrupt& interrupt) {
    const std::size_t shares = 2 * static_cast<std::size_t>(std::max(1, threads));
    const std::size_t block =
        std::clamp<std::size_t>((columns.size() + shares - 1) / shares, 1, most_columns);
    const std::size_t blocks = (columns.size() + block - 1) / block;
    std::vector<Encoder<T>> encoders(static_cast<std::size_t>(std::max(1, threads)),
                                     Encoder<T>(rows));
    for_each_index(blocks, threads, [&](std::size_t index) {
        const std::size_t begin = index * block;
        const std::size_t count = std::min(block, columns.size() - begin);
        // With one encoder, several tables may be made at once, each in a thread of the caller.
        const int thread = encoders.size() == 1 ? 0 : thread_index();
        encoders[static_cast<std::size_t>(thread)].encode(columns.subspan(begin, count),
                                                          to.subspan(begin, count), interrupt);
    });
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

void Table::add_numeric(const std::vector<StridedNumbers>& columns, int threads,
                        Interrupt& interrupt) {
    const auto is_float = [](const StridedNumbers& column) { return column.floats != nullptr; };
    const bool floats = std::any_of(columns.begin(), columns.end(), is_float);
    if (floats && !std::all_of(columns.begin(), columns.end(), is_float))
        throw std::invalid_argument("columns that are added together must be of one type");
    const std::size_t first = columns_.size();
    columns_.resize(first + columns.size());
    const std::span<Column> to = std::span(columns_).subspan(first);
    if (floats) {
        encode_all<float>(columns, to, rows_, threads, interrupt);
    } else {
        encode_all<double>(columns, to, rows_, threads, interrupt);
    }
}

void Table::add_in_order(StridedNumbers values) {
    Column& column = columns_.emplace_back();
    column.values = values;
    column.all_distinct = false;  // where it may be short of rows
}

void Table::add_codes(Kind kind, std::vector<std::int32_t> codes, std::size_t levels) {
    if (kind == Kind::numeric) throw std::invalid_argument("kind is ordinal or nominal");
    if (codes.size() != rows_) throw std::invalid_argument("a column has the wrong number of rows");
    std::int32_t highest = -1;
    for (const std::int32_t code : codes) highest = std::max(highest, code);
    if (highest >= 0 && static_cast<std::size_t>(highest) >= levels) {
        throw std::invalid_argument("a code lies beyond the levels of its column");
    }
    Column& column = columns_.emplace_back();
    column.kind = kind;
    column.levels = levels;
    static_cast<Ordered&>(column) = order_of_codes(codes, levels);
    column.codes = std::move(codes);
}

}  // namespace ramify
