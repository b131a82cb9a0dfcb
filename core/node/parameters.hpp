// What a user may ask of growth, already validated.
// Invariant: every field that a user may set is named in `fields`, and nowhere else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "counts/group_tests.hpp"
#include "support/choices.hpp"

namespace ramify {

enum class Missing : std::uint8_t { fractional, separate, direction };
template <>
inline constexpr auto names_of<Missing> = list_names("fractional", "separate", "direction");
// The gain of a split where rows lack its attribute. "known": the gain on the known rows, times
// their share (Quinlan 1993). "divided": the gain on all rows, after those with holes are divided
// among the branches (Shi 2007).
enum class MissingGain : std::uint8_t { known, divided };
template <>
inline constexpr auto names_of<MissingGain> = list_names("known", "divided");
// How a divided row counts where a least number of rows is asked for: by its parts, or as one row
// in every branch.
enum class MissingCount : std::uint8_t { parts, pieces };
template <>
inline constexpr auto names_of<MissingCount> = list_names("parts", "pieces");
enum class Growth : std::uint8_t { depth_first, best_first };
template <>
inline constexpr auto names_of<Growth> = list_names("depth_first", "best_first");
enum class Selection : std::uint8_t { criterion, conditional_inference, chaid, beyond_chance };
template <>
inline constexpr auto names_of<Selection> =
    list_names("criterion", "conditional_inference", "chaid", "beyond_chance");

// Which of the splits whose gains tie is made: the first, or the one whose branches are best
// balanced (criteria/contest.hpp). "auto": as the criterion does it.
enum class Ties : std::uint8_t { automatic, first, balanced };
template <>
inline constexpr auto names_of<Ties> = list_names("auto", "first", "balanced");

// How levels that do not differ are merged, see splits/nominal/merge_levels.hpp.
struct MergeOptions {
    double alpha = 0.05;  // two groups are merged if the p-value of their difference exceeds it
    // A merged group of three levels or more is divided again if two parts of it differ with a
    // p-value of at most this (0: never).
    double resplit = 0.0;
    // Merge down to two groups and take the step of the smallest p (Biggs, de Ville and Suen 1991).
    bool exhaustive = false;
    GroupTest test = GroupTest::pearson;

    template <typename Self, typename Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("alpha", self.alpha);
        visit("resplit", self.resplit);
        visit("exhaustive", self.exhaustive);
        visit("test", self.test);
    }
};

// Numbers of rows are sums of fractions: "five rows" may add up to 4.999999999.
inline constexpr double row_slack = 1e-9;
inline bool enough_rows(double rows, double least) {
    return rows >= least - row_slack;
}

struct GrowParameters {
    Growth growth = Growth::depth_first;
    // Best-first: whether gains are compared times the weight of the node.
    bool weigh_gains = true;
    Missing missing = Missing::fractional;
    MissingGain missing_gain = MissingGain::known;
    MissingCount missing_count = MissingCount::parts;
    // Multiway: a branch takes all levels that do not differ, of ordinal columns as well.
    std::optional<MergeOptions> merge;
    // Regression: find the best division of levels even where min_samples_leaf rules out the best
    // cut in the order of their means.
    bool exact_levels = false;
    Selection selection = Selection::criterion;
    Ties ties = Ties::automatic;
    double alpha = 0.05;  // conditional inference and CHAID: largest p-value of a split
    // Whether p-values are adjusted for the number of attributes tested (conditional inference) or
    // for the ways of merging levels (CHAID).
    bool bonferroni = true;
    // Filters: an attribute is skipped if its p-value exceeds `significance` (1: never), or if its
    // second most frequent level has fewer rows than `min_second_value` (Pereira 2018, section
    // 5.3).
    double significance = 1.0;
    double min_second_value = 0.0;
    // Gain ratio: the information gain of a threshold is lowered by the price of choosing it among
    // others.
    bool numeric_penalty = false;
    std::int64_t max_depth = std::numeric_limits<std::int64_t>::max();
    std::int64_t max_leaves = std::numeric_limits<std::int64_t>::max();
    std::int64_t max_expansions = std::numeric_limits<std::int64_t>::max();
    double min_samples_split = 2.0;
    double min_samples_leaf = 1.0;
    double min_weight_split = 0.0;
    double min_weight_fraction_leaf = 0.0;  // of the weight of all rows
    // Per column: 1 or -1 if the mean, or the share of a class, never falls or rises with it,
    // otherwise 0. Empty: no column is monotone.
    std::vector<std::int32_t> monotone;
    std::vector<std::int32_t> monotone_class;  // the class that this is about, per column
    // Splits with branches below min_samples_leaf stay candidates, and a node whose best split is
    // one of them becomes a leaf (Shi 2007). Otherwise the best of the other splits is made.
    bool abandon_small = false;
    bool small_branches = false;  // multiway: only two branches need min_samples_leaf rows
    double min_gain = 0.0;
    std::uint64_t seed = 0;  // of nominal searches that draw at random
    int threads = 1;

    // No user sets what follows: it depends on what is grown, and on what for.
    bool multiway = false;
    // Only the labels of rows without weights are asked for. A node stays a leaf if no leaf below
    // it could have another label.
    bool labels_only = false;
    // Splits of the other attributes are remembered down to this depth. Deeper ones would take more
    // memory than the tree.
    std::int32_t competitor_depth = 8;

    template <typename Self, typename Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("growth", self.growth);
        visit("weigh_gains", self.weigh_gains);
        visit("missing", self.missing);
        visit("missing_gain", self.missing_gain);
        visit("missing_count", self.missing_count);
        visit("merge", self.merge);
        visit("exact_levels", self.exact_levels);
        visit("selection", self.selection);
        visit("ties", self.ties);
        visit("alpha", self.alpha);
        visit("bonferroni", self.bonferroni);
        visit("significance", self.significance);
        visit("min_second_value", self.min_second_value);
        visit("numeric_penalty", self.numeric_penalty);
        visit("max_depth", self.max_depth);
        visit("max_leaves", self.max_leaves);
        visit("max_expansions", self.max_expansions);
        visit("min_samples_split", self.min_samples_split);
        visit("min_samples_leaf", self.min_samples_leaf);
        visit("min_weight_split", self.min_weight_split);
        visit("min_weight_fraction_leaf", self.min_weight_fraction_leaf);
        visit("monotone", self.monotone);
        visit("monotone_class", self.monotone_class);
        visit("abandon_small", self.abandon_small);
        visit("small_branches", self.small_branches);
        visit("min_gain", self.min_gain);
        visit("seed", self.seed);
        visit("threads", self.threads);
    }

    bool merges() const { return merge.has_value(); }
    // Rows that a branch must have for the split to be a candidate.
    double min_candidate_leaf() const { return abandon_small ? 0.0 : min_samples_leaf; }
    // The same, of rows with a value, where so many others are divided among the branches.
    double min_known_leaf(double divided) const {
        const double least = min_candidate_leaf();
        return counts_pieces() ? std::max(0.0, least - divided) : least;
    }
    bool divides_first() const {
        return missing == Missing::fractional && missing_gain == MissingGain::divided;
    }
    bool counts_pieces() const {
        return missing == Missing::fractional && missing_count == MissingCount::pieces;
    }
    // A part of a row below this fraction is not divided again but takes the heaviest branch.
    // Otherwise a row with many holes would end up in every leaf. Where light parts count as much
    // as whole rows, they are divided further, as in the originals.
    double least_fraction() const { return counts_pieces() ? 1.0 / 1048576.0 : 1.0 / 1024.0; }
};

}  // namespace ramify
