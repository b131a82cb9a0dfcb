#include "splits/nominal/by_size.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace ramify {

double steps_by_size(const Contingency& table) {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (table.classes != 2) return never;
    double rows = 0.0;
    for (std::size_t i = 0; i < table.levels; ++i) {
        const double size = table.support[i];
        // Class weights may be any numbers, but a level must weigh as much as it has rows.
        if (size < 1.0 || size != std::floor(size) ||
            std::abs(table.weight[i] - size) > 1e-9 * size)
            return never;
        rows += size;
    }
    return rows * static_cast<double>(table.levels);
}

void search_by_size(const Contingency& table, BestPartition& best) {
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    const std::size_t n = table.levels;
    std::vector<std::size_t> size(n);
    for (std::size_t i = 0; i < n; ++i) size[i] = static_cast<std::size_t>(table.support[i]);
    const std::size_t rows = std::accumulate(size.begin(), size.end(), std::size_t{0});
    // For every number of rows: the most of the second class that levels with that many rows have
    // together, and whether the last level looked at is among them.
    std::vector<double> most(rows + 1, nothing);
    std::vector<bool> takes(n * (rows + 1), false);
    most[0] = 0.0;
    std::size_t reach = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (table.interrupt != nullptr) table.interrupt->poll();
        const double share = table.counts[2 * i + 1];
        for (std::size_t r = reach + size[i]; r + 1 > size[i]; --r) {
            const double with = most[r - size[i]] + share;
            if (!(with > most[r])) continue;
            most[r] = with;
            takes[i * (rows + 1) + r] = true;
        }
        reach += size[i];
    }
    std::size_t chosen = 0;
    for (std::size_t r = 1; r < rows; ++r) {
        if (most[r] == nothing) continue;
        const double left[2] = {static_cast<double>(r) - most[r], most[r]};
        if (best.offer(left, static_cast<double>(r))) chosen = r;
    }
    if (chosen == 0) return;
    std::vector<std::uint8_t> right(n, 1);
    for (std::size_t i = n; i-- > 0;) {
        if (!takes[i * (rows + 1) + chosen]) continue;
        right[i] = 0;
        chosen -= size[i];
    }
    best.keep(std::move(right));
}

}  // namespace ramify
