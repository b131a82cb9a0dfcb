#include "optimal/binary/refine.hpp"

#include <algorithm>

namespace ramify::optimal::binary {

std::int32_t more_discrepancies(std::int32_t budget, std::int32_t most) {
    const std::int32_t next = budget + 1 + budget / 2;
    return next >= most ? any_budget : next;
}

// Calls `branch(rows, tree, depth, leaves)` for both branches, and joins what they give.
template <typename Branch>
Refine::Refined Refine::with_branches(const Word* cover, std::int32_t tree, int depth,
                                      std::int64_t leaves, Branch&& branch) {
    const Answer known = search_.recall(cover, depth, leaves);
    Refined best{known.value, known.tree, known.bound >= known.value};
    if (known.tree >= 0) tree = known.tree;  // at least as good
    if (tree < 0 || best.best) return best;
    TreeStore::Split split = trees_[tree];
    const Word* bits = table_.feature(static_cast<std::size_t>(split.feature));
    double value = 0.0;
    for (const bool with : {true, false}) {
        Cover rows(table_.words());
        for (std::size_t w = 0; w < rows.size(); ++w)
            rows[w] = cover[w] & (with ? bits[w] : ~bits[w]);
        std::int32_t& below = with ? split.with : split.without;
        const Refined found =
            branch(rows.data(), below, depth - 1, with ? split.leaves_with : split.leaves_without);
        below = found.tree;
        value += found.value;
    }
    if (value < best.value) {
        best = {value, trees_.add(split), false};
        search_.offer(cover, depth, leaves, value, best.tree);
    }
    return best;
}

Refine::Refined Refine::operator()(const Word* cover, std::int32_t tree, int depth,
                                   std::int64_t leaves, double work, bool itself) {
    bool both = true;
    Refined best =
        with_branches(cover, tree, depth, leaves,
                      [&](const Word* rows, std::int32_t below, int reach, std::int64_t most) {
                          const Refined found = (*this)(rows, below, reach, most, work / 2, true);
                          both = both && found.best;
                          return found;
                      });
    if (itself) {
        if (!best.best) search(cover, depth, leaves, work, best);
    } else {
        best.best = best.best || (best.tree >= 0 && both);
    }
    return best;
}

void Refine::search(const Word* cover, int depth, std::int64_t leaves, double work, Refined& best) {
    const auto most = static_cast<std::int32_t>(table_.features());
    search_.allow(work);
    try {
        for (std::int32_t budget = depth <= 3 ? any_budget : 0; !best.best;
             budget = more_discrepancies(budget, most)) {
            const Answer found = search_.solve(cover, depth, leaves, infinite, budget);
            take(found, best);
            best.best = budget == any_budget || found.bound >= best.value;
        }
    } catch (const Halt&) {
        if (!search_.exhausted()) throw;
        search_.allow(infinite);
        take(search_.recall(cover, depth, leaves), best);
    }
    search_.allow(infinite);
}

void Refine::take(const Answer& found, Refined& best) {
    if (found.value >= best.value) return;
    best = {found.value, found.tree, false};
    improved_();
}

Refine::Refined Refine::collect(const Word* cover, std::int32_t tree, int depth,
                                std::int64_t leaves) {
    return with_branches(cover, tree, depth, leaves,
                         [&](const Word* rows, std::int32_t below, int reach, std::int64_t most) {
                             return collect(rows, below, reach, most);
                         });
}

}  // namespace ramify::optimal::binary
