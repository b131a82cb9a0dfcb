#include "splits/nominal/gray_code.hpp"

#include <bit>

namespace ramify {
namespace {

// Step s changes the level of its lowest set bit.
std::size_t level_of(std::uint64_t step) {
    return static_cast<std::size_t>(std::countr_zero(step)) + 1;
}

void poll(const Contingency& table, std::uint64_t step) {
    if (step % 4096 == 0 && table.interrupt != nullptr) table.interrupt->poll();
}

}  // namespace

bool enumerate(const Contingency& table, Side& side, BestPartition& best) {
    side.all_right();
    side.assign(std::vector<std::uint8_t>(table.levels, 0));
    const bool countable = table.levels <= 63;
    const std::uint64_t steps =
        countable ? std::uint64_t{1} << (table.levels - 1) : ~std::uint64_t{0};
    for (std::uint64_t step = 1; step < steps; ++step) {
        if (best.left() == 0) return false;
        poll(table, step);
        side.flip(level_of(step));
        if (side.offer(best)) best.keep(side.right());
    }
    return true;
}

void enumerate_cuts(const Contingency& table, const Criterion& criterion, BestPartition& best) {
    const std::size_t n = table.levels;
    const std::size_t k = table.classes;
    std::vector<double> weight(n * n, 0.0);
    std::vector<double> both(3 * k);
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = a + 1; b < n; ++b) {
            for (std::size_t j = 0; j < k; ++j) {
                both[k + j] = table.counts[a * k + j];
                both[2 * k + j] = table.counts[b * k + j];
                both[j] = both[k + j] + both[2 * k + j];
            }
            weight[a * n + b] = weight[b * n + a] =
                criterion.score({both.data(), both.data() + k, 2, k});
        }
    }
    std::vector<std::uint8_t> right(n, 0);
    double support = 0.0;
    for (std::size_t i = 0; i < n; ++i) support += table.support[i];
    double cut = 0.0;
    const std::uint64_t steps = std::uint64_t{1} << (n - 1);
    for (std::uint64_t step = 1; step < steps; ++step) {
        poll(table, step);
        const std::size_t level = level_of(step);
        for (std::size_t i = 0; i < n; ++i) {
            cut += right[i] == right[level] ? weight[level * n + i] : -weight[level * n + i];
        }
        support += right[level] != 0 ? table.support[level] : -table.support[level];
        right[level] ^= 1;
        if (best.offer_score(cut / static_cast<double>(n - 1), support)) best.keep(right);
    }
}

}  // namespace ramify
