// How much the best split of a column gains beyond what such a column gains by chance. Over all
// orders of the targets of a node, the gain of a column that tells nothing has a distribution that
// depends only on the counts: rows, class totals or moments of the target, sizes of the levels, or
// places of the cuts. docs/selection.md has the formulas and their sources.
// Invariant: no memory is allocated, and nothing depends on the order of rows.
//
// Statistics are shares of the impurity: gain / impurity for the Gini index and squared error,
// between 0 and 1. So weights and units of the target play no part, only the number of rows.
#pragma once

#include <cstddef>
#include <span>

namespace ramify {

// What a null distribution needs to know of the targets of a node, y_r: unit vectors of the classes
// or numbers, centred. C is their covariance.
struct ChanceTarget {
    double rows = 0.0;    // number of rows; with weights (sum w)^2 / sum w^2
    double second = 1.0;  // tr(C^2) / tr(C)^2: 1 for two classes and for numbers
    double third = 1.0;   // tr(C^3) / tr(C)^3
    double fourth = 3.0;  // mean |y|^4 / tr(C)^2: the kurtosis of numbers
    // The share of the largest class if that is at least one half of the rows, otherwise 0.
    double largest = 0.0;
    // The largest share of the impurity that a single row at the end of the order of a column can
    // have, times rows - 1, and the share of the rows that have it. 0: not known.
    double lone_statistic = 0.0;
    double lone_share = 0.0;

    bool varies() const { return rows > 3.5 && second > 0.0; }
};

// Whether the targets of a node are so few that no column can be told from chance: a p-value is at
// least one over the number of ways to arrange the targets, and that is 1/20 or more. Of numbers,
// the ways are those to choose the rows on the left of a cut.
bool too_few_classes_to_tell(std::span<const double> class_weights, double rows);
inline bool too_few_numbers_to_tell(double rows) {
    return rows < 6.5;  // 20 ways to choose three of six rows, 35 to choose three of seven
}

ChanceTarget chance_of_classes(std::span<const double> class_weights, double rows);
// Central moments of numbers.
ChanceTarget chance_of_numbers(double variance, double fourth_moment, double rows);

// The sizes of the levels of a nominal column that are present, in rows.
struct ChanceLevels {
    double count = 0.0;
    double inverse_sizes = 0.0;    // sum of 1 / size
    double inverse_squares = 0.0;  // sum of 1 / size^2

    void add(double size) {
        count += 1.0;
        inverse_sizes += 1.0 / size;
        inverse_squares += 1.0 / (size * size);
    }
};

// Mean and variance of the share of the impurity that lies between the levels; exact.
struct ChanceMoments {
    double mean = 0.0;
    double variance = 0.0;
};
ChanceMoments moments_by_chance(const ChanceTarget& target, const ChanceLevels& levels);

// log P(share or more lies between the levels by chance). 0 if chance leaves no choice, as for a
// column of identifiers.
double log_p_of_levels(const ChanceTarget& target, const ChanceLevels& levels, double share);
// A lower bound of it, which takes a third of the time.
double least_log_p_of_levels(const ChanceTarget& target, const ChanceLevels& levels, double share);

// The cuts of a numeric or ordinal column that were tried. Rows are those to the left of a cut.
struct ChanceCuts {
    double count = 0.0;
    double first = 0.0;  // rows to the left of the first cut
    double last = 0.0;   // rows to the left of the last cut
    // Of all cuts. Give them if they are few, up to about 16. Empty: about equally far apart.
    std::span<const double> places{};

    // Whether there are so many cuts, or they lie so close, that their places tell no more.
    bool need_no_places() const { return count > 8.5 || count > last - first + 0.5; }
};

// log P(share or more is the gain of the best cut by chance). `crossings` is set to a factor that
// depends on the cuts: by how much more often a path over all of them reaches the statistic.
double log_p_of_threshold(const ChanceTarget& target, const ChanceCuts& cuts, double share,
                          double* crossings = nullptr);
// A lower bound of it, for given crossings.
double log_p_of_crossings(const ChanceTarget& target, double crossings, double share);
// A lower bound of what it would be if only the best cut had been tried.
double log_p_of_one_cut(const ChanceTarget& target, double share);

}  // namespace ramify
