// The best of several cuts: of all cuts of a small graph, or of those that GreedyCut and
// LocalSearch find from several orders of the vertices. Invariant: a better cut lacks fewer rows,
// or as many and weighs more; of two that differ by rounding alone, the first is kept.
#pragma once

#include <bit>

#include "splits/maxcut/local_search.hpp"
#include "support/random.hpp"

namespace ramify {

class BestCut {
  public:
    template <Cut C>
    void offer(const C& cut, Balance& balance) {
        balance.count(cut);
        offer(cut, cut_weight(cut), balance.lacking());
    }
    template <Cut C>
    void offer(const C& cut, double weight, double lacking) {
        const double margin = std::max(tie_tolerance * cut.total(), cut.rounding());
        if (!sides_.empty() && !(lacking < lacking_) &&
            !(lacking <= lacking_ && weight > weight_ + margin))
            return;
        sides_ = sides_of(cut);
        weight_ = weight;
        lacking_ = lacking;
    }
    template <Cut C>
    void take(C& cut, Balance& balance) const {
        place_all(cut, sides_);
        balance.count(cut);
    }

  private:
    std::vector<CutSide> sides_;
    double weight_ = 0.0;
    double lacking_ = 0.0;
};

// Tries all 2^(n-1) - 1 cuts in Gray-code order. The first vertex never moves.
template <Cut C>
void maximum_cut(C& cut, Balance& balance, Interrupt* interrupt, std::uint64_t& work) {
    place_all(cut, std::vector<CutSide>(cut.size(), 0));
    balance.count(cut);
    BestCut best;
    double weight = 0.0;
    const std::uint64_t steps = std::uint64_t{1} << (cut.size() - 1);
    for (std::uint64_t step = 1; step < steps; ++step) {
        if (step % 4096 == 0 && interrupt != nullptr) interrupt->poll();
        const std::size_t i = static_cast<std::size_t>(std::countr_zero(step)) + 1;
        weight += gain_of_move(cut, i);
        balance.move(balance.shift(i, cut.side(i)));
        cut.flip(i);
        best.offer(cut, weight, balance.lacking());
        ++work;
    }
    best.take(cut, balance);
}

// The first order is that of the vertices.
template <Cut C>
void greedy_cut_of_orders(C& cut, Balance& balance, int orders, std::uint64_t seed,
                          Interrupt* interrupt, std::uint64_t& work,
                          std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    std::vector<std::size_t> order(cut.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(seed);
    BestCut best;
    for (int o = 0; o < orders; ++o) {
        if (interrupt != nullptr) interrupt->poll();
        if (o > 0) random.shuffle(std::span(order));
        greedy_cut(cut, order, work);
        LocalSearch(cut, balance, interrupt, work, most / static_cast<std::uint64_t>(orders)).run();
        best.offer(cut, balance);
    }
    best.take(cut, balance);
}

}  // namespace ramify
