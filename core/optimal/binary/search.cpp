#include "optimal/binary/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "optimal/extent.hpp"

namespace ramify::optimal::binary {

double Branching::limit(std::int64_t of_rank) const {
    const double own = rank < of_rank ? value : std::nextafter(value, infinite);
    return std::min(upper, own);
}

double Branching::lower_bound() const {
    double least = value;
    for (const double b : bound) least = std::min(least, b);
    return least;
}

// A split that is being solved: its branches, their bounds, and what was found.
struct Search::Sides {
    std::size_t rank;
    std::size_t at;  // in the solver's arrays
    double limit;
    double bound_with, bound_without;
    double bound;  // of both
    Answer best;
};

Search::Search(const SearchContext& context) : context_(context), words_(context.table.words()) {}

Search::Start Search::start(const Word* cover, int depth, std::int64_t leaves) {
    const BinaryTable& table = context_.table;
    const Limits& limits = context_.limits;
    std::vector<double> sums(table.loss.width());
    table.sums(cover, sums.data());
    const double loss = table.loss(sums.data());
    const double leaf = loss + limits.sparsity;
    const double unavoidable = table.unavoidable(cover);
    const std::int64_t rows = table.rows(cover);
    // A split saves at most the avoidable loss, and costs a leaf.
    if (depth == 0 || leaves < 2 || loss - unavoidable <= limits.sparsity ||
        rows < 2 * limits.min_samples_leaf) {
        return {loss, leaf, unavoidable, {0, 1}};
    }
    const std::int64_t most =
        std::min(rows / limits.min_samples_leaf, leaves_below(leaf, unavoidable, limits.sparsity));
    return {loss, leaf, unavoidable, Extent{depth, leaves}.within(most)};
}

Fingerprint Search::key(const Word* cover, Extent extent) const {
    return fingerprint(cover, words_,
                       static_cast<std::uint64_t>(salt(extent.depth, extent.leaves)));
}

Answer Search::recall(const Word* cover, int depth, std::int64_t leaves) {
    const Start node = start(cover, depth, leaves);
    if (node.extent.depth > 0) {
        const auto found = context_.cache.find(key(cover, node.extent));
        if (found && found->value < node.leaf) return {found->value, found->bound, found->tree};
    }
    const double least = node.unavoidable + 2 * context_.limits.sparsity;
    return {node.leaf, node.extent.depth == 0 ? node.leaf : std::min(node.leaf, least),
            TreeStore::leaf};
}

void Search::offer(const Word* cover, int depth, std::int64_t leaves, double value,
                   std::int32_t tree) {
    const Start node = start(cover, depth, leaves);
    if (node.extent.depth == 0) return;
    KnownBounds known;
    known.depth = node.extent.depth;
    known.bound = std::min(value, node.unavoidable + 2 * context_.limits.sparsity);
    const Fingerprint at = key(cover, node.extent);
    if (const auto found = context_.cache.find(at)) known = *found;
    if (value >= known.value) return;
    known.value = value;
    known.tree = tree;
    context_.cache.keep(at, known);
}

void Search::spend(const PairSolver& solver) {
    const auto features = static_cast<double>(solver.features.size());
    const auto words = static_cast<double>(solver.rows / 64 + 1);
    work_left_ -= features * features * words;
    if (work_left_ < 0.0) throw Halt();
}

Answer Search::solve(const Word* cover, int depth, std::int64_t leaves, double upper,
                     std::int32_t budget) {
    const Limits& limits = context_.limits;
    context_.monitor.poll();
    ++statistics.subproblems;
    const auto [loss, leaf, unavoidable, whole] = start(cover, depth, leaves);
    Extent extent = whole;
    if (extent.depth == 0) return {leaf, leaf, TreeStore::leaf};
    KnownBounds known;
    known.depth = extent.depth;
    known.value = leaf;
    known.bound = unavoidable + 2 * limits.sparsity;
    if (known.bound >= upper) return {leaf, known.bound, TreeStore::leaf};
    const Fingerprint at = key(cover, extent);
    if (const auto found = context_.cache.find(at)) {
        known = *found;
        if (known.bound >= std::min(upper, known.value) ||
            (known.budget >= budget && std::min(upper, known.value) <= known.limit)) {
            return {known.value, known.bound, known.tree};
        }
    }
    if (extent.leaves < full_leaves(extent.depth)) {  // trees of any number of leaves cost no more
        const auto any = context_.cache.find(key(cover, {extent.depth, full_leaves(extent.depth)}));
        if (any) known.bound = std::max(known.bound, any->bound);
        if (known.bound >= std::min(upper, known.value)) {
            return {known.value, known.bound, known.tree};
        }
    }
    // Trees with more leaves are not below the limit, so that they need not be searched now.
    const std::int64_t reach =
        leaves_below(std::min(upper, known.value), unavoidable, limits.sparsity);
    const bool all = extent.within(reach) == extent;
    const std::int64_t allowed = extent.leaves;  // the cache must not hold trees of more
    extent = extent.within(reach);
    Answer answer;
    if (extent.depth <= 2 && context_.switches.depth_two) {
        const TwoLevels two = two_levels(cover, extent.depth);
        const auto most = static_cast<std::size_t>(
            std::min<std::int64_t>({extent.leaves, allowed, extent.depth * 2}));
        answer = {two.value[most], two.value[most], TreeStore::two_levels(two.split[most])};
    } else {
        Branching branching{
            cover, extent.depth, extent.leaves,   upper, budget, false, {}, {}, {}, {}, {},
            0,     infinite,     TreeStore::leaf, -1};
        branching.value = known.value;
        branching.tree = known.tree;
        try {
            begin(branching);
            work(branching);
        } catch (const Halt&) {  // what was found so far is not lost
            if (branching.value < known.value) {
                known.value = branching.value;
                known.tree = branching.tree;
                known.bound = std::min(known.bound, known.value);
                context_.cache.keep(at, known);
            }
            throw;
        }
        answer = end(branching);
    }
    if (!all)
        answer.bound = std::min(answer.bound, least_beyond(reach, unavoidable, limits.sparsity));
    answer.bound = std::min(std::max(answer.bound, known.bound), answer.value);
    known.value = answer.value;
    known.bound = answer.bound;
    known.tree = answer.tree;
    known.limit = upper;
    known.budget = budget;
    context_.cache.keep(at, known);
    return answer;
}

Search::Level& Search::level(int depth) {
    Level& level = levels_[static_cast<std::size_t>(depth)];
    if (!level.solver) {
        level.solver = make_pair_solver(context_.table, context_.limits, context_.monitor,
                                        context_.switches.instructions);
        level.with.resize(words_);
        level.without.resize(words_);
    }
    return level;
}

TwoLevels Search::two_levels(const Word* cover, int depth) {
    Level& at = level(depth);
    ++statistics.depth_two;
    at.solver->load(cover);
    spend(*at.solver);
    at.solver->look_ahead();
    return at.solver->two_levels(context_.limits.sparsity);
}

void Search::begin(Branching& branching) {
    Level& at = level(branching.depth);
    PairSolver& solver = *at.solver;
    const double sparsity = context_.limits.sparsity;
    solver.load(branching.cover);
    const bool pairs = context_.switches.depth_two && branching.depth >= 3;
    if (pairs) {
        spend(solver);
        solver.look_ahead();
    }
    const std::size_t p = solver.features.size();
    const std::lock_guard<std::mutex> lock(branching.mutex);
    if (branching.next > 0 || !branching.order.empty()) return;  // another thread was here first
    branching.value = std::min(branching.value, solver.leaf + sparsity);
    std::vector<double> score(p);
    for (std::size_t f = 0; f < p; ++f) {
        const SplitLosses& l = solver.losses;
        score[f] = !pairs ? l.with[f] + l.without[f]
                          : std::min(l.with[f], l.best_with[f] + sparsity) +
                                std::min(l.without[f], l.best_without[f] + sparsity);
    }
    if (pairs) {
        const TwoLevels two = solver.two_levels(sparsity);
        const auto most = static_cast<std::size_t>(std::min<std::int64_t>(branching.leaves, 4));
        if (two.value[most] < branching.value) {
            branching.value = two.value[most];
            branching.tree = TreeStore::two_levels(two.split[most]);
        }
    }
    branching.order.resize(p);
    std::iota(branching.order.begin(), branching.order.end(), 0);
    std::stable_sort(branching.order.begin(), branching.order.end(), [&](auto a, auto b) {
        return score[static_cast<std::size_t>(a)] < score[static_cast<std::size_t>(b)];
    });
    branching.bound_with.resize(p);
    branching.bound_without.resize(p);
    branching.bound.resize(p);
    const double unavoidable = context_.table.unavoidable(branching.cover);
    for (std::size_t f = 0; f < p; ++f) {
        double with = 0.0;
        if (unavoidable > 0.0) {
            const Word* bits = context_.table.feature(static_cast<std::size_t>(solver.features[f]));
            for (std::size_t w = 0; w < words_; ++w) at.with[w] = branching.cover[w] & bits[w];
            with = context_.table.unavoidable(at.with.data());
        }
        // Without a second split beyond the one that was looked ahead at, or with three leaves.
        const auto least = [&](double loss, double split, double avoided) {
            if (!pairs) return avoided + sparsity;
            return std::min(
                {loss + sparsity, std::max(avoided, split) + 2 * sparsity, avoided + 3 * sparsity});
        };
        const SplitLosses& l = solver.losses;
        branching.bound_with[f] = least(l.with[f], l.best_with[f], with);
        branching.bound_without[f] =
            least(l.without[f], l.best_without[f], std::max(0.0, unavoidable - with));
        branching.bound[f] = branching.bound_with[f] + branching.bound_without[f];
    }
}

void Search::work(Branching& branching) {
    Level& at = level(branching.depth);
    while (true) {
        std::size_t rank;
        {
            const std::lock_guard<std::mutex> lock(branching.mutex);
            if (branching.next >= branching.order.size() ||
                branching.next > static_cast<std::size_t>(branching.budget)) {
                return;
            }
            rank = branching.next++;
        }
        context_.monitor.poll();
        try_split(branching, at, rank);
    }
}

void Search::try_split(Branching& branching, Level& at, std::size_t rank) {
    Sides sides{rank, static_cast<std::size_t>(branching.order[rank]), 0, 0, 0, 0, {}};
    {
        const std::lock_guard<std::mutex> lock(branching.mutex);
        sides.limit = branching.limit(static_cast<std::int64_t>(rank));
        sides.bound_with = branching.bound_with[sides.at];
        sides.bound_without = branching.bound_without[sides.at];
        sides.bound = sides.bound_with + sides.bound_without;
    }
    if (sides.bound >= sides.limit) {
        ++statistics.bounded;
        return;
    }
    const Word* bits =
        context_.table.feature(static_cast<std::size_t>(at.solver->features[sides.at]));
    for (std::size_t w = 0; w < words_; ++w) {
        at.with[w] = branching.cover[w] & bits[w];
        at.without[w] = branching.cover[w] & ~bits[w];
    }
    if (counts_pairs(branching.depth)) {
        solve_pair(branching, at, sides);
    } else {
        solve_branches(branching, at, sides);
    }
    const std::lock_guard<std::mutex> lock(branching.mutex);
    branching.bound[sides.at] = std::max(branching.bound[sides.at], sides.bound);
    branching.bound_with[sides.at] = std::max(branching.bound_with[sides.at], sides.bound_with);
    branching.bound_without[sides.at] =
        std::max(branching.bound_without[sides.at], sides.bound_without);
    if (sides.best.value < branching.limit(static_cast<std::int64_t>(rank))) {
        branching.value = sides.best.value;
        branching.rank = static_cast<std::int64_t>(rank);
        branching.tree = sides.best.tree;
        if (branching.root) context_.monitor.improve(branching.value);
    }
    if (branching.root) context_.monitor.bound(branching.lower_bound());
    if (context_.switches.similarity && branching.depth > 1) {
        share_bounds(branching, at, sides.at);
    }
}

// Solves depth two below both branches by counting.
void Search::solve_pair(Branching& branching, Level& at, Sides& sides) {
    const double sparsity = context_.limits.sparsity;
    const bool limited = branching.leaves < 8;
    PairSolver& solver = *at.solver;
    TwoLevels with, without;
    const auto simple = [&](double loss, double bound, std::int64_t rows) {
        return loss + sparsity <= bound || loss <= sparsity ||
               rows < 2 * context_.limits.min_samples_leaf;
    };
    const std::int64_t rows_with = solver.rows_with[sides.at];
    const double loss_with = solver.losses.with[sides.at];
    const double loss_without = solver.losses.without[sides.at];
    bool has_with = true, has_without = true;
    if (simple(loss_with, sides.bound_with, rows_with)) {
        with = TwoLevels::leaf(loss_with + sparsity);
    } else {
        has_with = find_two_levels(at.with.data(), limited, loss_with, with);
    }
    if (simple(loss_without, sides.bound_without, solver.rows - rows_with)) {
        without = TwoLevels::leaf(loss_without + sparsity);
    } else {
        has_without = find_two_levels(at.without.data(), limited, loss_without, without);
    }
    // A known branch may already cost too much.
    if (has_with) sides.bound_with = std::max(sides.bound_with, with.value[4]);
    if (has_without) sides.bound_without = std::max(sides.bound_without, without.value[4]);
    sides.bound = sides.bound_with + sides.bound_without;
    if (sides.bound >= sides.limit && !(has_with && has_without)) {
        ++statistics.bounded;
        return;
    }
    if (!has_with || !has_without) {
        statistics.depth_two += !has_with + !has_without;
        spend(solver);
        solver.children(sides.at, has_with ? nullptr : &with, has_without ? nullptr : &without);
        if (!has_with) keep_two_levels(at.with.data(), limited, with);
        if (!has_without) keep_two_levels(at.without.data(), limited, without);
    }
    sides.bound_with = with.value[4];
    sides.bound_without = without.value[4];
    for (std::int64_t l = 1; l <= 4; ++l) {
        const std::int64_t r = std::min<std::int64_t>(4, branching.leaves - l);
        if (r < 1 || (!limited && l < 4)) continue;
        const double value =
            with.value[static_cast<std::size_t>(l)] + without.value[static_cast<std::size_t>(r)];
        if (value >= sides.best.value) continue;
        sides.best.value = value;
        if (value >= sides.limit) continue;
        sides.best.tree = context_.trees.add(
            {solver.features[sides.at],
             TreeStore::two_levels(with.split[static_cast<std::size_t>(l)]),
             TreeStore::two_levels(without.split[static_cast<std::size_t>(r)]), l, r});
    }
    sides.bound = sides.best.value;
}

bool Search::find_two_levels(const Word* cover, bool limited, double leaf, TwoLevels& to) {
    to = TwoLevels::leaf(leaf + context_.limits.sparsity);
    for (std::int64_t leaves = limited ? 2 : 4; leaves <= 4; ++leaves) {
        const auto known = context_.cache.find(
            fingerprint(cover, words_, static_cast<std::uint64_t>(salt(2, leaves))));
        if (!known || known->bound < known->value) return false;
        const auto at = static_cast<std::size_t>(leaves);
        to.value[at] = known->value;
        to.split[at] = TreeStore::first_split(known->tree);
    }
    return true;
}

void Search::keep_two_levels(const Word* cover, bool limited, const TwoLevels& two) {
    for (std::int64_t leaves = limited ? 2 : 4; leaves <= 4; ++leaves) {
        const auto at = static_cast<std::size_t>(leaves);
        KnownBounds known;
        known.depth = 2;
        known.value = known.bound = two.value[at];
        known.tree = TreeStore::two_levels(two.split[at]);
        known.budget = any_budget;
        known.limit = infinite;
        context_.cache.keep(fingerprint(cover, words_, static_cast<std::uint64_t>(salt(2, leaves))),
                            known);
    }
}

// Solves any depth below both branches by recursion. The branch with the larger loss comes first.
void Search::solve_branches(Branching& branching, Level& at, Sides& sides) {
    const std::int32_t budget = branching.budget == any_budget
                                    ? any_budget
                                    : branching.budget - static_cast<std::int32_t>(sides.rank);
    const int depth = branching.depth - 1;
    const std::int64_t half = full_leaves(depth);
    const bool limited = branching.leaves < 2 * half;
    const bool with_first = at.solver->losses.with[sides.at] >= at.solver->losses.without[sides.at];
    const Word* first = with_first ? at.with.data() : at.without.data();
    const Word* second = with_first ? at.without.data() : at.with.data();
    double& bound_first = with_first ? sides.bound_with : sides.bound_without;
    double& bound_second = with_first ? sides.bound_without : sides.bound_with;
    const std::int32_t feature = at.solver->features[sides.at];
    double least = infinite;  // bound over all divisions of the leaves
    double limit = sides.limit;
    const std::int64_t from = limited ? std::max<std::int64_t>(1, branching.leaves - half) : half;
    const std::int64_t to = limited ? std::min(half, branching.leaves - 1) : half;
    for (std::int64_t l = from; l <= to; ++l) {
        const std::int64_t r = limited ? branching.leaves - l : half;
        const Answer a = solve(first, depth, l, limit - bound_second, budget);
        if (!limited) bound_first = std::max(bound_first, a.bound);
        const double at_least = std::max(bound_first, a.bound);
        if (a.value >= limit - bound_second) {
            least = std::min(least, at_least + bound_second);
            continue;
        }
        const Answer b = solve(second, depth, r, limit - a.value, budget);
        if (!limited) bound_second = std::max(bound_second, b.bound);
        least = std::min(least, at_least + std::max(bound_second, b.bound));
        if (a.value + b.value >= limit) continue;
        limit = a.value + b.value;
        sides.best.value = limit;
        sides.best.tree =
            context_.trees.add(with_first ? TreeStore::Split{feature, a.tree, b.tree, l, r}
                                          : TreeStore::Split{feature, b.tree, a.tree, r, l});
    }
    sides.bound = std::max(sides.bound, least);
}

// A branch of another split that has all but a few of these rows costs at least as much, less the
// stakes of those few.
void Search::share_bounds(Branching& branching, Level& at, std::size_t split) {
    const PairSolver& solver = *at.solver;
    const double sparsity = context_.limits.sparsity;
    const bool nested_only = context_.limits.min_samples_leaf > 1;
    const std::size_t p = solver.features.size();
    if (branching.bound_with[split] <= sparsity && branching.bound_without[split] <= sparsity) {
        return;
    }
    at.solver->overlap(split, at.overlap_stake, at.overlap_rows);
    for (const bool side : {true, false}) {
        const double bound = side ? branching.bound_with[split] : branching.bound_without[split];
        const double stake =
            side ? solver.stake_with[split] : solver.stake - solver.stake_with[split];
        const std::int64_t rows =
            side ? solver.rows_with[split] : solver.rows - solver.rows_with[split];
        if (bound <= sparsity) continue;
        for (std::size_t f = 0; f < p; ++f) {
            const double shared =
                side ? at.overlap_stake[f] : solver.stake_with[f] - at.overlap_stake[f];
            const std::int64_t shared_rows =
                side ? at.overlap_rows[f] : solver.rows_with[f] - at.overlap_rows[f];
            // With a least size of leaves, a tree for many rows may not be allowed for fewer.
            if (!nested_only || shared_rows == solver.rows_with[f]) {
                branching.bound_with[f] =
                    std::max(branching.bound_with[f], bound - (stake - shared));
            }
            if (!nested_only || rows - shared_rows == solver.rows - solver.rows_with[f]) {
                branching.bound_without[f] = std::max(branching.bound_without[f], bound - shared);
            }
        }
    }
    for (std::size_t f = 0; f < p; ++f) {
        branching.bound[f] =
            std::max(branching.bound[f], branching.bound_with[f] + branching.bound_without[f]);
    }
}

Answer Search::end(const Branching& branching) {
    return {branching.value, branching.lower_bound(), branching.tree};
}

}  // namespace ramify::optimal::binary
