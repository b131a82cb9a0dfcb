// Searches for a binary partition of the levels of a nominal attribute, on nothing but its
// contingency table. Invariant: a search returns a partition with both sides non-empty and at least
// `min_leaf` rows on each, or none.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counts/contingency.hpp"
#include "criteria/contest.hpp"
#include "criteria/criterion.hpp"

namespace ramify {

struct NominalSplit {
    std::vector<std::uint8_t>
        right;  // per level: 1 if it goes right; the first level is always left
    double score = 0.0;
    bool proven = false;     // no partition of these levels scores better
    std::uint64_t work = 0;  // partitions scored
};

using FoundSplit = std::optional<NominalSplit>;  // none if no partition is allowed

class NominalSearch {
  public:
    virtual ~NominalSearch() = default;

    virtual FoundSplit split(const Contingency& table, const Criterion& criterion) const = 0;
};

// Whether a search looks at class weights of sides alone, or at pairs of levels too, which some
// criteria add up.
enum class Takes : std::uint8_t { sums, pairs };

// What is known of a search; every search has one as its static member `info`.
struct NominalSearchInfo {
    const char* name;
    const char* guarantee;  // how far from the best partition it can end
    const char* cost;       // time for n levels and k classes
    const char* reference;  // where it is described
    Takes takes = Takes::sums;
    const char* limits = "";  // what else it asks of the table, or is made for
    std::size_t classes = 0;  // that the table must have; 0: any number

    std::string criteria() const;  // in words: what it can be used with
};

struct NominalSearchOptions {
    std::uint64_t seed = 0;                             // of searches that draw at random
    std::uint64_t work_limit = std::uint64_t{1} << 22;  // partitions that `exact` may score
};

// All searches; the order is that of the choices in messages.
std::vector<NominalSearchInfo> nominal_searches();
// Throws std::invalid_argument naming the valid choices.
std::unique_ptr<NominalSearch> make_nominal_search(std::string_view name,
                                                   const NominalSearchOptions& options = {});
// Throws std::invalid_argument, naming what would fit, if a search cannot use the criterion or the
// number of classes.
void require_fit(std::string_view name, const Criterion& criterion, std::size_t classes);

// Keeps the best of the first `limit` partitions that are offered. Sides are flipped so that the
// first level is on the left.
class BestPartition {
  public:
    BestPartition(const Contingency& table, const Criterion& criterion,
                  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());

    // Scores a partition by the class weights of its left side. Tells whether it is feasible and
    // better than all before.
    bool offer(const double* sums, double left_support);
    // The same for a score that the class weights do not give.
    template <typename Balance>
    bool offer_score(double score, double left_support, Balance&& balance) {
        if (left() == 0) return false;
        ++work_;
        if (!feasible(left_support) || !contest_.offer(score, tolerance_, balance)) return false;
        best_.score = contest_.highest();
        if (!std::isfinite(scale_)) tolerance_ = tie_tolerance * std::abs(best_.score);
        return true;
    }
    // Counts partitions that were ruled out without scoring them in full.
    void pass(std::uint64_t count = 1) { work_ += std::min(count, left()); }
    void keep(std::vector<std::uint8_t> right);
    // Gives the best partition; this object loses it.
    FoundSplit result(bool proven);
    std::uint64_t work() const { return work_; }
    std::uint64_t left() const { return limit_ - work_; }  // before the limit
    const NominalSplit& best() const { return best_; }
    // Whether both sides have enough rows.
    bool feasible(double left_support) const;
    // What a score must exceed to be the best so far.
    double threshold() const { return contest_.highest() + tolerance_; }
    // A partition that scores no more than this cannot be the best, however balanced it is.
    double irrelevant() const {
        return contest_.balanced() ? contest_.highest() - 2.0 * tolerance_ : threshold();
    }

  private:
    const Contingency& table_;
    const Criterion& criterion_;
    double scale_;
    double support_ = 0.0;
    std::vector<double> children_;
    NominalSplit best_;
    Contest contest_;
    double tolerance_ = 0.0;
    std::uint64_t work_ = 0;
    std::uint64_t limit_;
};

// Scores the prefixes of the levels in ascending order of `key` (ties by level). Levels with the
// same class distribution (a supervalue) stay together, unless all levels have the same.
void scan_by_key(const Contingency& table, const std::vector<double>& key, BestPartition& best);

// Positions in ascending order of key. Keys that differ by rounding alone, on the scale given, are
// equal, and the lower position comes first.
std::vector<std::size_t> order_by_key(const std::vector<double>& key, double centre, double scale);

// The shares of the classes in whole steps of 1e-11, so that shares that differ by rounding alone
// are equal.
std::vector<double> class_steps(const Contingency& table);

// Whether some level alone has too few rows to be a side. If not, every partition is allowed.
bool leaf_minimum_binds(const Contingency& table);

// Row i and row j of the table are proportional.
bool same_distribution(const Contingency& table, std::size_t i, std::size_t j);

}  // namespace ramify
