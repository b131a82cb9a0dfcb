// A column as blocks between its boundary points (Fayyad and Irani 1993), the only places where a
// cut can be best. Invariant: neighbouring values share a block exactly if all their rows are of
// one class, so that two neighbouring blocks always hold two classes. Rows of weight zero and
// missing cells are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "table/table.hpp"

namespace ramify {

// What every discretiser reads.
struct LabelledTable {
    const Table& table;
    std::span<const std::int32_t> labels;  // the class of every row, from 0
    std::size_t classes = 0;
    std::span<const double> weights;  // of the rows; empty if all weigh 1
};

// Weights as whole multiples of a unit. Their sums are exact in any order, and a row of weight 2
// equals two rows. Without weights the unit is one row.
class Masses {
  public:
    Masses(std::size_t rows, std::span<const double> weights);
    explicit Masses(const LabelledTable& data) : Masses(data.labels.size(), data.weights) {}

    std::int64_t operator[](std::size_t row) const { return masses_.empty() ? 1 : masses_[row]; }
    bool weighted() const { return !masses_.empty(); }
    double unit() const { return unit_; }              // the weight of a mass of 1
    double total() const { return total_; }            // weight of all rows
    int exponent() const { return exponent_; }         // all masses together are below 2^exponent
    std::int64_t most() const { return total_mass_; }  // the mass of all rows

  private:
    std::vector<std::int64_t> masses_;
    double unit_ = 1.0, total_ = 0.0;
    std::int64_t total_mass_ = 0;
    int exponent_ = 0;
};

struct BlockEntry {
    std::uint32_t label;
    std::int64_t mass;
};

template <typename Entry>
struct BlocksOf {
    std::vector<Entry> entries;        // block after block
    std::vector<std::uint32_t> start;  // first entry of every block, and the end
    std::vector<double> thresholds;    // between neighbouring blocks

    std::size_t size() const { return start.size() - 1; }
    std::span<const Entry> operator()(std::size_t begin, std::size_t end) const {
        return {entries.data() + start[begin], entries.data() + start[end]};
    }
};

using Blocks = BlocksOf<BlockEntry>;  // a class at most once in a block

Blocks find_blocks(const LabelledTable& data, std::size_t column, const Masses& masses);

// Throws std::invalid_argument if labels or weights do not fit the table.
void check(const LabelledTable& data);
void check_weights(std::size_t rows, std::span<const double> weights);

// Calls `take(value, rows)` for every value of a column, ascending, with a range of its rows.
template <typename Take>
void each_value(const Column& column, Take&& take) {
    for (std::size_t begin = 0; begin < column.order.size();) {
        std::size_t end = begin + 1;
        while (end < column.order.size() && (column.order[end] & new_value) == 0) ++end;
        take(column.value(column.order[begin] & row_mask), begin, end);
        begin = end;
    }
}

}  // namespace ramify
