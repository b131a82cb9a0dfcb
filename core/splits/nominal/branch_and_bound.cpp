#include "splits/nominal/branch_and_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ramify {
namespace {

class Search {
  public:
    Search(const Contingency& table, const Criterion& criterion, Side& side, BestPartition& best)
        : table_(table),
          criterion_(criterion),
          side_(side),
          best_(best),
          k_(table.classes),
          weight_(weight_of(table.total, k_)),
          node_(criterion.impurity(table.total, k_)),
          order_(table.levels),
          free_(table.levels + 1, 0.0),
          own_(table.levels + 1, 0.0),
          left_(k_, 0.0),
          right_(k_, 0.0),
          mixed_(k_) {
        // Heavy levels far from the mean come first, because they decide most.
        std::vector<double> pull(table.levels, 0.0);
        for (std::size_t i = 0; i < table.levels; ++i) {
            const double* row = table.counts + i * k_;
            for (std::size_t j = 0; j < k_; ++j) {
                const double off = row[j] / table.weight[i] - table.total[j] / weight_;
                pull[i] += table.weight[i] * off * off;
            }
        }
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::size_t a, std::size_t b) { return pull[a] > pull[b]; });
        for (std::size_t d = table.levels; d-- > 0;) {
            free_[d] = free_[d + 1] + table.weight[order_[d]];
            own_[d] = own_[d + 1] + impurity_of(row_of(d));
        }
    }

    bool run() {
        side_.all_right();
        side_.flip(order_[0]);  // a partition and its mirror image are the same
        add(left_, 0, 1.0);
        descend(1);
        return !stopped_;
    }

  private:
    const double* row_of(std::size_t depth) const { return table_.counts + order_[depth] * k_; }
    double impurity_of(const double* weights) const {
        return weight_of(weights, k_) * criterion_.impurity(weights, k_);
    }
    void add(std::vector<double>& sums, std::size_t depth, double sign) {
        const double* row = row_of(depth);
        for (std::size_t j = 0; j < k_; ++j) sums[j] += sign * row[j];
    }

    // The first `depth` levels have a side. All others are on the right in `side_`.
    void descend(std::size_t depth) {
        if (table_.interrupt != nullptr) table_.interrupt->poll();
        if (depth == table_.levels) {
            stopped_ = best_.left() == 0;
            if (side_.offer(best_)) best_.keep(side_.right());
            return;
        }
        if (cannot_win(depth)) return;
        // Tries the side first where the level adds less impurity.
        const double to_left = added(left_, depth);
        const double to_right = added(right_, depth);
        for (int turn = 0; turn < 2 && !stopped_; ++turn) {
            if ((turn == 0) == (to_left <= to_right)) {
                const std::vector<double> before = left_;
                add(left_, depth, 1.0);
                side_.flip(order_[depth]);
                descend(depth + 1);
                side_.flip(order_[depth]);
                left_ = before;
            } else {
                const std::vector<double> before = right_;
                add(right_, depth, 1.0);
                descend(depth + 1);
                right_ = before;
            }
        }
    }

    double added(const std::vector<double>& sums, std::size_t depth) {
        const double* row = row_of(depth);
        for (std::size_t j = 0; j < k_; ++j) mixed_[j] = sums[j] + row[j];
        return impurity_of(mixed_.data()) - impurity_of(sums.data());
    }

    // Compares a bound on the impurity of every completion with the best score.
    bool below(double impurity) const {
        const double score = node_ - impurity / weight_;
        return score <= best_.irrelevant() - 1e-12 * (1.0 + node_);
    }

    // Both sides are divided among the levels that have no side yet: a level of weight w takes the
    // share w / f of each, where f is the weight of all these levels. If the level joins a side,
    // their share of the impurity is by homogeneity w / f times (g(side + f / w times the level) +
    // g(other side)). The smaller of the two choices is a lower bound.
    bool cannot_win(std::size_t depth) {
        const double left = impurity_of(left_.data());
        const double right = impurity_of(right_.data());
        best_.pass(1);
        if (below(left + right + own_[depth])) return true;
        if (best_.left() < 2 * (table_.levels - depth)) {
            stopped_ = true;
            return true;
        }
        double sum = 0.0;
        for (std::size_t d = depth; d < table_.levels; ++d) {
            const double* row = row_of(d);
            const double weight = weight_of(row, k_);
            const double scale = free_[depth] / weight;
            for (std::size_t j = 0; j < k_; ++j) mixed_[j] = left_[j] + scale * row[j];
            const double with_left = impurity_of(mixed_.data()) + right;
            for (std::size_t j = 0; j < k_; ++j) mixed_[j] = right_[j] + scale * row[j];
            const double with_right = impurity_of(mixed_.data()) + left;
            sum += std::min(with_left, with_right) / scale;
        }
        best_.pass(2 * (table_.levels - depth));
        return below(sum);
    }

    const Contingency& table_;
    const Criterion& criterion_;
    Side& side_;
    BestPartition& best_;
    std::size_t k_;
    double weight_, node_;
    std::vector<std::size_t> order_;
    std::vector<double> free_;  // weight of the levels from this depth on
    std::vector<double> own_;   // and the sum of their own impurities
    std::vector<double> left_, right_, mixed_;
    bool stopped_ = false;
};

}  // namespace

bool branch_and_bound(const Contingency& table, const Criterion& criterion, Side& side,
                      BestPartition& best) {
    return Search(table, criterion, side, best).run();
}

}  // namespace ramify
