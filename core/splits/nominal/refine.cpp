#include "splits/nominal/refine.hpp"

#include <algorithm>
#include <cmath>

#include "splits/nominal/scan.hpp"

namespace ramify {
namespace {

// The gradient of the score by the class weights of the left side, times each level's distribution:
// for entropy log(p_jL / p_jR), otherwise that of the Gini index, p_jL - p_jR.
std::vector<double> slopes(const Contingency& table, const Criterion& criterion, const Side& side) {
    const std::size_t k = table.classes;
    const double left = side.weight();
    const double right = weight_of(table.total, k) - left;
    std::vector<double> gradient(k);
    for (std::size_t j = 0; j < k; ++j) {
        const double in_left = side.sums()[j] / left;
        const double in_right = (table.total[j] - side.sums()[j]) / right;
        // A class that is absent from one side pulls strongly, but within a limit.
        gradient[j] = criterion.walk_kind() == WalkKind::entropy
                          ? std::log(std::max(in_left, 1e-6) / std::max(in_right, 1e-6))
                          : in_left - in_right;
    }
    std::vector<double> slope(table.levels);
    for (std::size_t i = 0; i < table.levels; ++i) {
        const double* row = table.counts + i * k;
        double sum = 0.0;
        for (std::size_t j = 0; j < k; ++j) sum += row[j] * gradient[j];
        slope[i] = sum / table.weight[i];
    }
    return slope;
}

bool move_singles(Side& side, BestPartition& best) {
    bool moved = false;
    for (std::size_t i = 0; i < side.right().size() && best.left() > 0; ++i) {
        side.flip(i);
        if (side.offer(best)) {
            moved = true;
        } else {
            side.flip(i);
        }
    }
    if (moved) best.keep(side.right());
    return moved;
}

}  // namespace

void refine(const Contingency& table, const Criterion& criterion, Side& side, BestPartition& best,
            std::size_t rounds) {
    if (best.best().right.empty()) return;
    for (std::size_t round = 0; round < rounds && best.left() > 0; ++round) {
        if (table.interrupt != nullptr) table.interrupt->poll();
        side.assign(best.best().right);
        const std::vector<double> slope = slopes(table, criterion, side);
        double largest = 0.0;
        for (const double s : slope) largest = std::max(largest, std::abs(s));
        if (!(largest > 0.0)) return;
        const bool better = scan_order(order_by_key(slope, 0.0, largest), side, best);
        side.assign(best.best().right);
        if (!move_singles(side, best) && !better) return;
    }
}

void exchange_pairs(const Contingency& table, Side& side, BestPartition& best) {
    if (best.best().right.empty()) return;
    side.assign(best.best().right);
    for (bool better = true; better && best.left() > 0;) {
        if (table.interrupt != nullptr) table.interrupt->poll();
        better = false;
        for (std::size_t a = 0; a < table.levels; ++a) {
            bool exchanged = false;
            side.flip(a);
            for (std::size_t b = a + 1; b < table.levels && !exchanged; ++b) {
                if (side.is_right(a) != side.is_right(b)) continue;  // both are on one side
                side.flip(b);
                exchanged = side.offer(best);
                if (!exchanged) side.flip(b);
            }
            if (exchanged) {
                best.keep(side.right());
                better = true;
            } else {
                side.flip(a);
            }
        }
        better = move_singles(side, best) || better;
    }
}

}  // namespace ramify
