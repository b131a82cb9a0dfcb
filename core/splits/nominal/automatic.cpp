#include "splits/nominal/automatic.hpp"

#include <cmath>

#include "splits/nominal/exact.hpp"
#include "splits/nominal/greedy_cut.hpp"
#include "splits/nominal/largest_class_alone.hpp"
#include "splits/nominal/list_scheduling.hpp"
#include "splits/nominal/pc.hpp"
#include "splits/nominal/pc_ext.hpp"
#include "splits/nominal/refine.hpp"
#include "splits/nominal/scan.hpp"
#include "splits/nominal/sliq.hpp"
#include "splits/nominal/superclasses.hpp"
#include "splits/nominal/two_class.hpp"

namespace ramify {
namespace {

constexpr std::uint64_t cheap_proof = 1 << 13;         // partitions of an exact search
constexpr std::uint64_t cheap_superclasses = 1 << 15;  // partitions of all superclasses
constexpr std::size_t large_table = 1 << 18;           // counts
constexpr std::size_t few_levels = 64;                 // whose pairs may be exchanged

// Offers the result of one start to the best of all starts.
void take(const BestPartition& found, Side& side, BestPartition& best) {
    if (found.best().right.empty()) return;
    best.pass(found.work() - 1);
    side.assign(found.best().right);
    if (side.offer(best)) best.keep(side.right());
}

}  // namespace

void search_heuristically(const Contingency& table, const Criterion& criterion, Side& side,
                          BestPartition& best) {
    const std::size_t n = table.levels;
    const std::size_t k = table.classes;
    // A pass over a large table costs as much as a scan. Then only the best partition is refined,
    // once.
    const bool many = n > 1024 || n * k > large_table;
    const auto start = [&](auto&& scan) {
        if (best.left() == 0) return;
        BestPartition found(table, criterion, best.left());
        scan(found);
        if (!many && found.left() > 0) refine(table, criterion, side, found, 16);
        take(found, side, best);
    };
    ShareOrder order;
    const auto superclass = [&](const std::vector<std::uint8_t>& inside) {
        start([&](BestPartition& found) {
            order.sort(superclass_share(table, inside));
            scan_order(order, side, found);
        });
    };
    start([&](BestPartition& found) { scan_with_exchanges(principal_order(table), side, found); });
    superclass(largest_class(table));
    superclass(balanced_superclass(table));
    if (n <= few_levels) {
        start([&](BestPartition& found) { move_one_by_one(table, criterion, true, found); });
    }
    if (k <= most_superclass_classes && n << (k - 1) <= cheap_superclasses) {
        start([&](BestPartition& found) {
            for_each_superclass(table, [&](const std::vector<double>& share) {
                order.sort(share);
                scan_order(order, side, found);
            });
        });
    }
    if (many && best.left() > 0) refine(table, criterion, side, best, 1);
    if (n <= few_levels && best.left() > 0) exchange_pairs(table, side, best);
}

FoundSplit Automatic::split(const Contingency& table, const Criterion& criterion) const {
    if (!criterion.sums_suffice()) {
        constexpr std::size_t few_levels = 10;
        if (table.levels <= few_levels) return Exact({}).split(table, criterion);
        return GreedyCut(options).split(table, criterion);
    }
    // This also serves where a minimum of rows makes the order of two classes a heuristic, unless
    // it finds nothing.
    if (table.classes == 2 && criterion.concave()) {
        auto found = TwoClass().split(table, criterion);
        if (found || !leaf_minimum_binds(table)) return found;
    }
    // A criterion that is the caller's code is slow to call.
    const std::uint64_t limit = criterion.thread_safe() ? cheap_proof : cheap_proof / 16;
    return Exact(NominalSearchOptions{0, limit}).split_within(table, criterion, false);
}

}  // namespace ramify
