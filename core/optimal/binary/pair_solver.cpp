#include "optimal/binary/pair_solver.hpp"

#include <algorithm>

#include "optimal/binary/counting_pairs.hpp"
#include "optimal/binary/summing_pairs.hpp"

namespace ramify::optimal {

TwoLevels SplitLosses::two_levels(double leaf, double sparsity) const {
    TwoLevels best = TwoLevels::leaf(leaf + sparsity);
    const auto offer = [&](std::size_t leaves, double value, std::size_t split) {
        if (value < best.value[leaves]) {
            best.value[leaves] = value;
            best.split[leaves] = static_cast<std::int32_t>(split);
        }
    };
    for (std::size_t f = 0; f < with.size(); ++f) {
        const double both = best_with[f] + best_without[f];
        const double one = std::min(best_with[f] + without[f], with[f] + best_without[f]);
        offer(2, with[f] + without[f] + 2 * sparsity, f);
        offer(3, one + 3 * sparsity, f);
        offer(4, both + 4 * sparsity, f);
    }
    for (std::size_t leaves = 2; leaves <= 4; ++leaves) {
        if (best.value[leaves - 1] <= best.value[leaves]) {
            best.value[leaves] = best.value[leaves - 1];
            best.split[leaves] = best.split[leaves - 1];
        }
    }
    return best;
}

std::unique_ptr<PairSolver> make_pair_solver(const BinaryTable& table, const Limits& limits,
                                             int instructions) {
    if (!table.counting) return std::make_unique<SummingPairs>(table, limits);
    constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
    if (table.row_at.size() < most) {
        return std::make_unique<CountingPairs<std::uint16_t>>(table, limits, instructions);
    }
    return std::make_unique<CountingPairs<std::uint32_t>>(table, limits, instructions);
}

}  // namespace ramify::optimal
