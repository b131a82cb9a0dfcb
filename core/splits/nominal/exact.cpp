#include "splits/nominal/exact.hpp"

#include <limits>
#include <stdexcept>

#include "splits/nominal/automatic.hpp"
#include "splits/nominal/branch_and_bound.hpp"
#include "splits/nominal/by_size.hpp"
#include "splits/nominal/exact_cut.hpp"
#include "splits/nominal/gray_code.hpp"
#include "splits/nominal/hyperplanes.hpp"
#include "splits/nominal/scan.hpp"
#include "splits/nominal/two_class.hpp"
#include "splits/work_limit.hpp"

namespace ramify {
namespace {

constexpr std::uint64_t few_partitions = 1 << 9;  // enumerated at once
// A method that is sure to end with a proof may take this many times the limit.
constexpr std::uint64_t sure_proof = 16;

FoundSplit split_by_pairs(const Contingency& table, const Criterion& criterion) {
    if (table.levels > Exact::most_pair_levels) {
        throw std::invalid_argument(
            "categorical_split='exact' adds up pairs of at most " +
            std::to_string(Exact::most_pair_levels) + " levels, and an attribute has " +
            std::to_string(table.levels) + "; choose 'greedy_cut' or 'gw_cut'");
    }
    return exact_cut(table, criterion);
}

// `separable`: every partition is allowed, and a hyperplane cuts off a best one.
FoundSplit solve(const Contingency& table, const Criterion& criterion, bool separable, bool insist,
                 std::uint64_t limit) {
    constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();
    limit = std::max<std::uint64_t>(limit, 1);
    // A partition adds up the classes and scores them. Who asks for more than the usual number of
    // partitions gets it.
    const std::uint64_t within_steps = times_within(most_steps / 2, table.classes);
    if (limit <= NominalSearchOptions{}.work_limit) limit = std::min(limit, within_steps);
    BestPartition best(table, criterion, insist ? limit : within_steps);
    const std::uint64_t all =
        table.levels <= 62 ? (std::uint64_t{1} << (table.levels - 1)) - 1 : endless;
    if (separable && table.classes == 2) {
        Side side(table, criterion, table.levels);
        BestPartition prefix(table, criterion);  // one scan is within any limit
        ShareOrder order;
        order.sort(superclass_share(table, {0, 1}));
        scan_order(order, side, prefix);
        return prefix.result(true);
    }
    if (all <= few_partitions && all <= limit) {
        Side side(table, criterion, all);
        enumerate(table, side, best);
        return best.result(true);
    }
    if (insist && criterion.separable(2) &&
        steps_by_size(table) <= static_cast<double>(limit) * static_cast<double>(sure_proof)) {
        BestPartition of_size(table, criterion);  // no limit: one partition per number of rows
        search_by_size(table, of_size);
        return of_size.result(true);
    }
    Side side(table, criterion, limit);
    if (separable) {
        const std::uint64_t within = insist ? limit * std::min(sure_proof, endless / limit) : limit;
        const auto most = static_cast<double>(std::min(all, within));
        Hyperplanes hyperplanes(table, most);
        if (hyperplanes.work() <= most) {
            BestPartition cut_off(table, criterion);
            hyperplanes.search(side, cut_off);
            return cut_off.result(true);
        }
    }
    if (all <= limit) {
        enumerate(table, side, best);
        return best.result(true);
    }
    search_heuristically(table, criterion, side, best);
    if (!insist || best.left() == 0) return best.result(false);
    const bool bounded = criterion.drop_of_impurity() && criterion.separable(table.classes);
    const bool proven =
        bounded ? branch_and_bound(table, criterion, side, best) : enumerate(table, side, best);
    return best.result(proven);
}

}  // namespace

FoundSplit Exact::split_within(const Contingency& table, const Criterion& criterion,
                               bool insist) const {
    if (!criterion.sums_suffice()) return split_by_pairs(table, criterion);
    if (criterion.separable(table.classes) && !leaf_minimum_binds(table)) {
        if (table.classes == 2) return TwoClass().split(table, criterion);
        return on_supervalues(table, criterion, [&](const Contingency& merged) {
            return solve(merged, criterion, true, insist, work_limit);
        });
    }
    // Levels of equal distribution may have to be separated.
    return solve(table, criterion, false, insist, work_limit);
}

}  // namespace ramify
