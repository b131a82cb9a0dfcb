// GreedyCut and LocalSearch for the maximum cut (Pereira 2018, algorithms 2 and 3). Invariant:
// GreedyCut puts at least half of all weight into the cut (Sahni and Gonzalez 1976), and
// LocalSearch never lowers the weight. LocalSearch scans the vertices in ascending order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "criteria/criterion.hpp"
#include "splits/maxcut/balance.hpp"
#include "support/interrupt.hpp"

namespace ramify {

// Places one vertex after the other, each opposite the side that pulls more, and on side 0 in a
// tie.
template <Cut C>
void greedy_cut(C& cut, const std::vector<std::size_t>& order, std::uint64_t& work) {
    cut.clear();
    for (const std::size_t i : order) {
        cut.place(i, cut.pull(i, 0) > cut.pull(i, 1) ? CutSide{1} : CutSide{0});
        ++work;
    }
}

template <Cut C>
void greedy_cut(C& cut, std::uint64_t& work) {
    std::vector<std::size_t> order(cut.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    greedy_cut(cut, order, work);
}

// Makes the first change that improves the cut, and starts again. It tries single moves before
// exchanges of a vertex of side 0 and one of side 1. What may be rounding is no improvement.
template <Cut C>
class LocalSearch {
  public:
    // It ends after `most` steps at the latest.
    LocalSearch(C& cut, Balance& balance, Interrupt* interrupt, std::uint64_t& work,
                std::uint64_t most = std::numeric_limits<std::uint64_t>::max())
        : cut_(cut),
          balance_(balance),
          interrupt_(interrupt),
          work_(work),
          left_steps_(most),
          least_gain_(std::max(tie_tolerance * cut.total(), cut.rounding())),
          gains_(cut.size()) {}

    void run() {
        balance_.count(cut_);
        while (left_steps_ > 0 && (move() || exchange())) {
            if (interrupt_ != nullptr) interrupt_->poll();
        }
    }

  private:
    bool move() {
        for (std::size_t i = 0; i < cut_.size(); ++i) {
            gains_[i] = gain_of_move(cut_, i);
            ++work_;
            spend(2 * cut_.steps());
            const double shift = balance_.shift(i, cut_.side(i));
            if (!balance_.improves(shift, gains_[i], least_gain_)) continue;
            cut_.flip(i);
            spend(cut_.size());
            balance_.move(shift);
            return true;
        }
        return false;
    }

    // Called after a scan of single moves has found nothing, so all gains are known. The edge
    // between the two vertices stays in the cut, but both gains count it as lost.
    bool exchange() {
        left_.clear();
        right_.clear();
        for (std::size_t i = 0; i < cut_.size(); ++i)
            (cut_.side(i) == 0 ? left_ : right_).push_back(i);
        const bool feasible = balance_.feasible();
        for (const std::size_t i : left_) {
            if (interrupt_ != nullptr) interrupt_->poll();
            if (left_steps_ == 0) return false;
            work_ += right_.size();
            spend(right_.size());
            for (const std::size_t j : right_) {
                const double moves = gains_[i] + gains_[j];
                if (feasible && moves + 2.0 * cut_.at_most(i, j) <= least_gain_) continue;
                const double shift = balance_.shift(i, 0) + balance_.shift(j, 1);
                spend(cut_.steps());
                const double gain = moves + 2.0 * cut_.weight(i, j);
                if (!balance_.improves(shift, gain, least_gain_)) continue;
                cut_.flip(i);
                cut_.flip(j);
                balance_.move(shift);
                return true;
            }
        }
        return false;
    }

    void spend(std::uint64_t steps) { left_steps_ -= std::min(steps, left_steps_); }

    C& cut_;
    Balance& balance_;
    Interrupt* interrupt_;
    std::uint64_t& work_;
    std::uint64_t left_steps_;
    double least_gain_;
    std::vector<double> gains_;
    std::vector<std::size_t> left_, right_;
};

}  // namespace ramify
