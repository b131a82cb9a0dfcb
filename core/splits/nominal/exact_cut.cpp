#include "splits/nominal/exact_cut.hpp"

#include <bit>

#include "splits/maxcut/pair_cut.hpp"
#include "splits/maxcut/pair_weights.hpp"

namespace ramify {

FoundSplit exact_cut(const Contingency& table, const Criterion& criterion) {
    const std::size_t n = table.levels;
    const std::vector<double> weights = pair_weights(table, criterion);
    PairCut cut(weights, n);
    place_all(cut, std::vector<CutSide>(n, 0));
    BestPartition best(table, criterion);
    double support = 0.0;  // of side 0
    for (std::size_t i = 0; i < n; ++i) support += table.support[i];
    double weight = 0.0;
    const std::uint64_t steps = std::uint64_t{1} << (n - 1);
    for (std::uint64_t step = 1; step < steps; ++step) {
        if (step % 4096 == 0 && table.interrupt != nullptr) table.interrupt->poll();
        const std::size_t i = static_cast<std::size_t>(std::countr_zero(step)) + 1;
        weight += gain_of_move(cut, i);
        support += cut.side(i) == 0 ? -table.support[i] : table.support[i];
        cut.flip(i);
        const double score = criterion.min_support > 0.0
                                 ? pair_score(table, criterion, weights, sides_of(cut))
                                 : weight / static_cast<double>(n - 1);
        const auto weight_of_side = [&](std::size_t side) {
            double sum = 0.0;
            for (std::size_t l = 0; l < n; ++l) sum += cut.side(l) == side ? table.weight[l] : 0.0;
            return sum;
        };
        if (best.offer_score(score, support, [&] { return balance_of(2, weight_of_side); }))
            best.keep(sides_of(cut));
    }
    return best.result(true);
}

}  // namespace ramify
