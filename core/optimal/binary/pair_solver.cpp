#include "optimal/binary/pair_solver.hpp"

#include "optimal/binary/counting_pairs.hpp"
#include "optimal/binary/rank_pairs.hpp"
#include "optimal/binary/summing_pairs.hpp"

namespace ramify::optimal::binary {

std::unique_ptr<PairSolver> make_pair_solver(const BinaryTable& table, const Limits& limits,
                                             Monitor& monitor, int instructions) {
    if (table.loss.numbers() && table.loss.numbers()->by_ranks())
        return std::make_unique<RankPairs>(table, limits, monitor);
    if (!table.counting) return std::make_unique<SummingPairs>(table, limits, monitor);
    constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
    if (table.row_at.size() < most) {
        return std::make_unique<CountingPairs<std::uint16_t>>(table, limits, monitor, instructions);
    }
    return std::make_unique<CountingPairs<std::uint32_t>>(table, limits, monitor, instructions);
}

}  // namespace ramify::optimal::binary
