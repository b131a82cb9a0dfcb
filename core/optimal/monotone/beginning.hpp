// The best tree below a beginning that is laid down, whose predictions keep an order. The order
// binds the branches together where a condition of the beginning asks a column that has one: as at
// any split, either all of the lower side stays at a value or below it, or all of the upper side
// above it. Invariant: that of the search; a part is not searched beyond the depth that is set.
#pragma once

#include <memory>
#include <vector>

#include "optimal/laid_down.hpp"
#include "optimal/monotone/search.hpp"

namespace ramify::optimal::monotone {

// A tree of a branch, both sides of a condition, or (left) what was chosen.
struct Growth {
    std::int32_t part;
    Tree tree;
    std::shared_ptr<const Growth> left, right;
};
using Grown = std::shared_ptr<const Growth>;

struct Found {
    double value = binary::infinite;  // infinite: none is below the limit
    double bound = 0.0;
    Grown growth{};
    Range leaves{};
};

class Beginning {
  public:
    Beginning(Search& search, const near::NearTable& table, const Order& order,
              const LaidDown& parts, Monitor& monitor);

    // The best tree of all rows below `upper`, with branches of at most so many levels.
    void run(int levels, std::int64_t leaves, double upper);
    // The tree of the starts, as far as it keeps the order.
    void begin(const std::vector<NodeList>& starts, std::int64_t leaves);

    int deepest_branch() const;
    double least() const { return least_[0]; }          // no tree costs less
    std::int64_t fewest() const { return fewest_[0]; }  // leaves

    Grown best;
    double best_value = binary::infinite;

  private:
    Found solve(std::int32_t part, std::int64_t leaves, const Range& range, double upper);
    Found branch(std::int32_t part, std::int64_t leaves, const Range& range, double upper);
    double pair(std::int32_t part, std::int64_t left_leaves, std::int64_t right_leaves,
                const Range& of_left, const Range& of_right, double& limit, Found& best);
    void take(std::int32_t part, const Found& found);

    Search& search_;
    const near::NearTable& table_;
    const Order& order_;
    const LaidDown& parts_;
    Monitor& monitor_;
    std::vector<Cover> covers_;                // of the branches
    std::vector<std::int32_t> wanted_;         // of each branch, the first that may ask the same
    std::vector<double> least_;                // bounds of the parts
    std::vector<std::int64_t> fewest_, most_;  // leaves
    std::vector<Answer> starts_;  // of the branches, while the tree of the starts is made
    std::vector<std::int64_t> start_leaves_;
    int levels_ = 0;
};

}  // namespace ramify::optimal::monotone
