// How far the trees of some rows can grow: their depth and their leaves. A tree of L leaves costs
// at least what is unavoidable, plus L prices; so few leaves are worth their price, and a tree with
// few leaves is not deep. Invariant: a smaller extent leaves out no tree that is better than a leaf
// alone, and depends on the rows alone unless the extent given was smaller still. So subproblems of
// the same rows meet in the cache, however deep they lie.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ramify::optimal {

// No search goes deeper: two to the power of it must fit the keys of the caches.
inline constexpr int deepest = 50;
inline constexpr std::int64_t any_leaves = std::numeric_limits<std::int64_t>::max();

// The leaves of a full tree.
inline std::int64_t full_leaves(int depth) {
    return std::int64_t{1} << std::clamp(depth, 0, deepest);
}

// The most leaves of a tree that costs less than `limit`, at least 1. Rounding may add one, never
// take one away.
inline std::int64_t leaves_below(double limit, double unavoidable, double price) {
    constexpr double inflated = 1.0 + 1e-9;
    if (!(price > 0.0)) return any_leaves;
    const double most = (limit - unavoidable) / price * inflated;
    if (!(most < 1e15)) return any_leaves;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(most)) - 1);
}

// No tree of more leaves costs less than this.
inline double least_beyond(std::int64_t leaves, double unavoidable, double price) {
    return unavoidable + (static_cast<double>(leaves) + 1.0) * price;
}

struct Extent {
    int depth;
    std::int64_t leaves;  // full_leaves(depth): the depth alone limits

    // The same trees, if none has more leaves than `most`. A limit of leaves that does not bind
    // becomes none.
    Extent within(std::int64_t most) const {
        const bool binds = leaves < most && leaves < full_leaves(depth);
        const std::int64_t fit = std::max<std::int64_t>(1, binds ? leaves : most);
        const int reach = fit - 1 < depth ? static_cast<int>(fit - 1) : depth;
        return {reach, binds ? std::min(leaves, full_leaves(reach)) : full_leaves(reach)};
    }
    bool operator==(const Extent&) const = default;
};

}  // namespace ramify::optimal
