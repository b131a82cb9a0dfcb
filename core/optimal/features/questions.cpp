#include "optimal/features/questions.hpp"

#include <algorithm>

namespace ramify::optimal {
namespace {

template <typename Test>
Bits rows_where(const FeatureSet& to, Test&& test) {
    Bits bits = to.no_rows();
    for (std::size_t row = 0; row < to.rows(); ++row) {
        bits[row / 64] |= static_cast<std::uint64_t>(test(row)) << row % 64;
    }
    return bits;
}

bool some_missing(const Column& column, std::size_t rows) {
    return column.order.size() < rows;
}

// The division, or two of them: missing rows on the right, and on the left.
template <typename Right>
void add_with_missing(FeatureSet& to, const Column& column, std::size_t index, Right&& right) {
    const auto j = static_cast<std::int32_t>(index);
    if (!some_missing(column, to.rows())) {
        to.add_bits(j, rows_where(to, right));
        return;
    }
    for (const bool missing_right : {true, false}) {
        to.add_bits(j, rows_where(to, [&](std::size_t row) {
                        return column.missing(row) ? missing_right : right(row);
                    }));
    }
}

// Sets of levels by size and then by level. The last level is always on the right: the other sets
// are the same with the sides swapped.
std::vector<std::vector<std::int32_t>> level_sets(const std::vector<std::int32_t>& levels) {
    std::vector<std::vector<std::int32_t>> sets;
    if (levels.size() > few_levels) {
        for (const std::int32_t level : levels) sets.push_back({level});
        return sets;
    }
    const std::size_t free = levels.empty() ? 0 : levels.size() - 1;
    for (std::size_t chosen = 1; chosen < std::size_t{1} << free; ++chosen) {
        sets.emplace_back();
        for (std::size_t i = 0; i < free; ++i) {
            if (chosen >> i & 1) sets.back().push_back(levels[i]);
        }
    }
    std::sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return sets;
}

}  // namespace

ColumnFacts facts_of(const Column& column, std::size_t rows) {
    ColumnFacts facts{some_missing(column, rows), 0};
    for (const std::uint32_t entry : column.order) facts.distinct += (entry & new_value) != 0;
    return facts;
}

void add_ranks(FeatureSet& to, const Table& table, std::size_t index) {
    const Column& column = table[index];
    std::vector<std::int32_t> ranks(to.rows(), -1);
    std::int32_t rank = -1;
    for (const std::uint32_t entry : column.order) {
        if (entry & new_value) ++rank;
        ranks[entry & row_mask] = rank;
    }
    const auto with_missing = [&](std::int32_t instead) {
        std::vector<std::int32_t> codes = ranks;
        std::replace(codes.begin(), codes.end(), -1, instead);
        return codes;
    };
    const auto j = static_cast<std::int32_t>(index);
    to.add_codes(j, with_missing(rank + 1));
    if (some_missing(column, to.rows())) to.add_codes(j, with_missing(0));
}

void add_threshold(FeatureSet& to, const Table& table, std::size_t index, double threshold) {
    const Column& column = table[index];
    add_with_missing(to, column, index,
                     [&](std::size_t row) { return column.value(row) > threshold; });
}

void add_levels(FeatureSet& to, const Table& table, std::size_t index) {
    const Column& column = table[index];
    std::vector<std::int32_t> levels;
    for (const std::uint32_t entry : column.order) {
        if (entry & new_value) levels.push_back(column.codes[entry & row_mask]);
    }
    std::vector<std::uint8_t> on_left(column.levels, 0);
    for (const auto& chosen : level_sets(levels)) {
        std::fill(on_left.begin(), on_left.end(), 0);
        for (const std::int32_t level : chosen) on_left[static_cast<std::size_t>(level)] = 1;
        add_with_missing(to, column, index, [&](std::size_t row) {
            return !on_left[static_cast<std::size_t>(column.codes[row])];
        });
    }
}

void add_missing(FeatureSet& to, const Table& table, std::size_t index) {
    const Column& column = table[index];
    if (!some_missing(column, to.rows())) return;
    to.add_bits(static_cast<std::int32_t>(index),
                rows_where(to, [&](std::size_t row) { return column.missing(row); }));
}

}  // namespace ramify::optimal
