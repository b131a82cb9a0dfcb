#include "splits/nominal/exact.hpp"

#include <bit>
#include <stdexcept>

#include "splits/nominal/two_class.hpp"

namespace ramify {

std::optional<NominalSplit> Exact::split(const Contingency& table,
                                         const Criterion& criterion) const {
    // A leaf minimum can rule out the best prefix, so then all partitions are tried as long as they
    // are few.
    if (table.classes == 2 && criterion.concave() &&
        (table.min_leaf <= 1.0 || table.levels > most_levels)) {
        return TwoClass().split(table, criterion);
    }
    if (table.levels > most_levels) {
        throw std::invalid_argument(
            "categorical_split='exact' enumerates the partitions of at most " +
            std::to_string(most_levels) + " levels, and an attribute has " +
            std::to_string(table.levels) + "; choose 'auto', 'pc' or 'multiway'");
    }
    BestPartition best(table, criterion);
    std::vector<double> left(table.total, table.total + table.classes);
    std::vector<std::uint8_t> right(table.levels, 0);
    double left_support = 0.0;
    for (std::size_t i = 0; i < table.levels; ++i) left_support += table.support[i];
    // Step s of the Gray code changes the level of its lowest set bit; level 0 never moves.
    const std::uint64_t steps = std::uint64_t{1} << (table.levels - 1);
    for (std::uint64_t step = 1; step < steps; ++step) {
        if (step % 4096 == 0 && table.interrupt != nullptr) table.interrupt->poll();
        const auto level = static_cast<std::size_t>(std::countr_zero(step)) + 1;
        const double* row = table.counts + level * table.classes;
        const double sign = right[level] != 0 ? 1.0 : -1.0;
        right[level] ^= 1;
        left_support += sign * table.support[level];
        for (std::size_t j = 0; j < table.classes; ++j) left[j] += sign * row[j];
        if (best.offer(left.data(), left_support)) best.keep(right);
    }
    return best.result(true);
}

}  // namespace ramify
