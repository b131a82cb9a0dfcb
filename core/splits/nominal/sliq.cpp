#include "splits/nominal/sliq.hpp"

#include "splits/nominal/side.hpp"
#include "splits/nominal/supervalues.hpp"
#include "splits/work_limit.hpp"

namespace ramify {

void move_one_by_one(const Contingency& table, const Criterion& criterion, bool extended,
                     BestPartition& best) {
    const std::size_t n = table.levels;
    Contingency free = table;
    free.min_leaf = 0.0;
    Side side(table, criterion, n * n / 2);
    side.assign(std::vector<std::uint8_t>(n, 0));
    double reached = 0.0;  // what the score of the next move must exceed
    for (std::size_t moved = 0; moved + 1 < n && best.left() > 0; ++moved) {
        if (table.interrupt != nullptr) table.interrupt->poll();
        BestPartition step(free, criterion);  // of the moves from here
        std::size_t chosen = n;
        for (std::size_t i = 0; i < n; ++i) {
            if (side.is_right(i)) continue;
            side.flip(i);
            if (side.offer(step)) chosen = i;
            side.flip(i);
        }
        if (chosen == n) return;  // no move is better than another
        const bool improves = moved == 0 || step.best().score > reached;
        if (!extended && !improves && !best.best().right.empty()) return;
        side.flip(chosen);
        best.pass(step.work() - 1);
        if (side.offer(best)) best.keep(side.right());
        reached = step.threshold();
    }
}

std::uint64_t moves_within_limit(const Contingency& table) {
    return times_within(most_steps / 4, table.classes);  // there, back, and two sums of squares
}

FoundSplit Sliq::split(const Contingency& table, const Criterion& criterion) const {
    return on_supervalues(table, criterion, [&](const Contingency& merged) {
        BestPartition best(merged, criterion, moves_within_limit(merged));
        move_one_by_one(merged, criterion, false, best);
        return best.result(false);
    });
}

}  // namespace ramify
