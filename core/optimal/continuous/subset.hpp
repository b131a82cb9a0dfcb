// The rows of a node, in the order of every column that varies among them. Rows are renumbered from
// 0, and codes become ranks among those present. T holds both: 16 bits if the rows are few enough.
// Invariant: order lists the rows by ascending rank, and children keep the order of their parent.
#pragma once

#include <cstdint>
#include <vector>

#include "optimal/continuous/data.hpp"

namespace ramify::optimal::continuous {

template <class T>
struct Subset {
    std::size_t size = 0;
    std::vector<std::int32_t> row;       // in the data
    std::vector<T> label;                // classification
    std::vector<std::int32_t> columns;   // of the data, those that vary here: the slots
    std::vector<std::int32_t> distinct;  // ranks of a slot
    std::vector<T> orders, ranks;        // slots x size
    std::vector<std::uint8_t> lasts;     // whether the next row of the order has another rank
    std::vector<double> sums;            // contributions of all rows
    double leaf = 0.0;                   // loss as a leaf
    double unavoidable = 0.0;
    Key key{};

    std::size_t slots() const { return columns.size(); }
    const T* order(std::size_t slot) const { return orders.data() + slot * size; }
    const T* rank(std::size_t slot) const { return ranks.data() + slot * size; }
    const std::uint8_t* last(std::size_t slot) const { return lasts.data() + slot * size; }
    bool ties(std::size_t slot) const { return static_cast<std::size_t>(distinct[slot]) < size; }

    void all(const Data& data);
    // The rows of `parent` whose rank in `slot` is at most `rank` (or, if not `left`, above).
    void part(const Data& data, const Subset& parent, std::size_t slot, std::int32_t rank,
              bool left);

  private:
    void finish(const Data& data);
    std::vector<T> renumbered_;
    std::vector<std::uint8_t> inside_;
    std::vector<std::int32_t> groups_;
};

// For every threshold of a column: the rows, stakes, losses as leaves, and keys of its sides.
// Threshold t lies after rank t.
struct Curve {
    std::vector<std::int32_t> rows;
    std::vector<double> stakes;
    std::vector<double> left, right;  // losses as leaves
    // The least losses of the branches that have fewer leaves than classes; empty if zero.
    std::vector<double> least_left, least_right;
    std::vector<Key> keys;
    std::vector<double> impurity;     // of both sides, times their weight
    std::int32_t first = 0, end = 0;  // thresholds that leave enough rows on both sides

    // `leaves`: the most that a branch may have. Keys and impurities are computed only if wanted.
    template <class T>
    void trace(const Data& data, const Subset<T>& subset, std::size_t slot, std::int64_t leaves,
               bool with_keys);

  private:
    template <class T>
    void count_two(const Subset<T>& subset, std::size_t slot);
    template <class T>
    void count_many(const Data& data, const Subset<T>& subset, std::size_t slot,
                    std::int64_t leaves);
    template <class T>
    void add_up(const Data& data, const Subset<T>& subset, std::size_t slot);
    template <class T>
    void walk_ranks(const Data& data, const Subset<T>& subset, std::size_t slot);
    template <class T>
    void add_keys(const Data& data, const Subset<T>& subset, std::size_t slot);

    std::vector<double> sums_, rest_;
    std::vector<std::int32_t> counts_, sorted_;
};

extern template struct Subset<std::int16_t>;
extern template struct Subset<std::int32_t>;

}  // namespace ramify::optimal::continuous
