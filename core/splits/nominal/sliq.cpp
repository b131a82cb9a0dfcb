#include "splits/nominal/sliq.hpp"

#include "splits/nominal/side.hpp"
#include "splits/nominal/supervalues.hpp"

namespace ramify {

std::optional<NominalSplit> move_one_by_one(const Contingency& table, const Criterion& criterion,
                                            bool extended) {
    return on_supervalues(table, criterion, [&](const Contingency& merged) {
        const std::size_t n = merged.levels;
        BestPartition best(merged, criterion);  // of those with enough rows on both sides
        Contingency free = merged;
        free.min_leaf = 0.0;
        Side side(merged, criterion, n * n / 2);
        side.assign(std::vector<std::uint8_t>(n, 0));
        std::uint64_t work = 0;
        double reached = 0.0;  // what the score of the next move must exceed
        for (std::size_t moved = 0; moved + 1 < n; ++moved) {
            BestPartition step(free, criterion);  // of the moves from here
            std::size_t chosen = n;
            for (std::size_t i = 0; i < n; ++i) {
                if (side.is_right(i)) continue;
                side.flip(i);
                if (side.offer(step)) chosen = i;
                side.flip(i);
            }
            work += step.work();
            if (merged.interrupt != nullptr) merged.interrupt->poll();
            const bool improves = moved == 0 || step.best().score > reached;
            if (!extended && !improves && !best.best().right.empty()) break;
            side.flip(chosen);
            if (side.offer(best)) best.keep(side.right());
            reached = step.threshold();
        }
        std::optional<NominalSplit> split = best.result(false);
        if (split) split->work = work;
        return split;
    });
}

std::optional<NominalSplit> Sliq::split(const Contingency& table,
                                        const Criterion& criterion) const {
    return move_one_by_one(table, criterion, false);
}

}  // namespace ramify
