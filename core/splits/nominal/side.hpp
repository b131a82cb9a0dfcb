// The left side of a partition of the levels: its class weights and its support, kept up to date as
// levels change sides. Invariant: a partition that the estimate rules out would not have been the
// best so far. The others are scored by the criterion itself, so results do not depend on the
// estimate.
#pragma once

#include "splits/nominal/search.hpp"
#include "support/prefetch.hpp"

namespace ramify {

class Side {
  public:
    // `offers`: about how many partitions will be scored. Tables that pay only for many are made
    // only then.
    Side(const Contingency& table, const Criterion& criterion, std::uint64_t offers);

    void all_right();
    void assign(const std::vector<std::uint8_t>& right);
    void flip(std::size_t level);
    // Fetches the row of a level that will be flipped soon.
    void fetch(std::size_t level) const {
        prefetch(table_.counts + level * table_.classes, table_.classes);
    }
    // Whether this is the best partition so far; an empty side never is.
    bool offer(BestPartition& best) const;

    // The score to within half of `margin`; infinite if no cheap estimate exists.
    double estimate() const;
    double margin() const { return margin_; }

    const std::vector<std::uint8_t>& right() const { return right_; }
    bool is_right(std::size_t level) const { return right_[level] != 0; }
    const std::vector<double>& sums() const { return left_; }
    double weight() const { return left_weight_; }
    double support() const { return left_support_; }

  private:
    void move(std::size_t level);
    void refresh();
    static double power(double x);  // x log2 x

    const Contingency& table_;
    WalkKind form_;
    std::vector<std::uint8_t> right_;
    std::size_t left_levels_ = 0;
    std::uint64_t flips_ = 0;  // since the sums were last made anew
    std::vector<double> left_;
    double left_weight_ = 0.0;
    double left_support_ = 0.0;
    // Gini: the sums of squares of both sides, and the product of every level with the total.
    // Empty: products are made when a level moves.
    double left_square_ = 0.0, right_square_ = 0.0;
    std::vector<double> level_product_;
    double weight_ = 0.0, total_square_ = 0.0, impurity_ = 0.0, margin_ = 0.0;
    std::vector<double> powers_;  // of whole numbers
};

}  // namespace ramify
