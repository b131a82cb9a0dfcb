#include "splits/nominal/twoing.hpp"

#include "criteria/twoing.hpp"
#include "splits/nominal/automatic.hpp"
#include "splits/nominal/scan.hpp"
#include "splits/nominal/superclasses.hpp"
#include "splits/nominal/two_class_scan.hpp"

namespace ramify {

namespace {

FoundSplit best_twoing(const Contingency& merged, const Twoing& twoing, bool proven) {
    const std::size_t n = merged.levels;
    BestPartition best(merged, twoing);
    const std::vector<double> weight(merged.weight, merged.weight + n);
    const double all = weight_of(merged.total, merged.classes);
    std::uint64_t work = 0;
    double reached = -1.0;  // twoing value of the best so far
    ShareOrder order;
    std::vector<double> left(merged.classes);
    std::vector<std::uint8_t> right(n);
    const bool all_pairs = for_each_superclass(merged, [&](const std::vector<double>& share) {
        order.sort(share);
        double inside = 0.0;
        for (std::size_t i = 0; i < n; ++i) inside += weight[i] * share[i];
        const TwoClassGini gini{all, inside};
        const TwoClassCut found =
            best_cut(order, weight, share, merged.support, merged.min_leaf, gini.scale(), gini);
        work += n - 1;
        // The best superclasses for a partition give twice its twoing value. A partition that is
        // best for other superclasses will be met again with its own.
        if (found.cut == 0 || found.value / 2.0 <= reached * (1.0 - 1e-9)) return;
        std::fill(right.begin(), right.end(), std::uint8_t{1});
        std::fill(left.begin(), left.end(), 0.0);
        double support = 0.0;
        for (std::size_t i = 0; i < found.cut; ++i) {
            right[order[i]] = 0;
            support += merged.support[order[i]];
            const double* row = merged.counts + order[i] * merged.classes;
            for (std::size_t j = 0; j < merged.classes; ++j) left[j] += row[j];
        }
        if (best.offer(left.data(), support)) best.keep(right);
        reached = best.best().score;
    });
    if (!all_pairs) {
        Side side(merged, twoing, n);
        search_heuristically(merged, twoing, side, best);
    }
    FoundSplit split = best.result(proven && all_pairs);
    if (split) split->work = work;
    return split;
}

}  // namespace

FoundSplit TwoingSearch::split(const Contingency& table, const Criterion& criterion) const {
    const Twoing twoing{CriterionOptions{}};
    FoundSplit split =
        split_by_superclasses("twoing", table, twoing, [&](const Contingency& merged, bool proven) {
            return best_twoing(merged, twoing, proven);
        });
    if (!split) return split;
    BestPartition scored(table, criterion);
    Side side(table, criterion, 1);
    side.assign(split->right);
    if (side.offer(scored)) scored.keep(side.right());
    const bool same = dynamic_cast<const Twoing*>(&criterion) != nullptr;
    FoundSplit result = scored.result(split->proven && same && criterion.min_support <= 0.0);
    if (result) result->work = split->work;
    return result;
}

}  // namespace ramify
