// Makes the features of the columns of an encoded table: thresholds, sets of levels, missing cells.
// Invariant: a column with missing cells has each of its divisions twice, the missing rows on
// either side, and one more that tells them apart.
#pragma once

#include <span>

#include "optimal/features/feature_set.hpp"
#include "table/table.hpp"

namespace ramify::optimal {

// With up to this many levels in the rows, every set of levels of a nominal column is a feature;
// with more, every single level.
inline constexpr std::size_t few_levels = 5;

// What a column has in these rows.
struct ColumnFacts {
    bool missing = false;
    std::size_t distinct = 0;  // values or levels
};
ColumnFacts facts_of(const Column& column, std::size_t rows);

// One feature for all thresholds of a column: the ranks of its values. Missing cells have the
// highest rank, and in a second feature the lowest, on the other side of every threshold.
void add_ranks(FeatureSet& to, const Table& table, std::size_t column);
void add_threshold(FeatureSet& to, const Table& table, std::size_t column, double threshold);
void add_levels(FeatureSet& to, const Table& table, std::size_t column);
void add_missing(FeatureSet& to, const Table& table, std::size_t column);

}  // namespace ramify::optimal
