#include "optimal/continuous/refine.hpp"

#include <algorithm>
#include <utility>

#include "optimal/continuous/scan.hpp"
#include "optimal/continuous/thresholds.hpp"

namespace ramify::optimal::continuous {
namespace {

// A branch of a tree, as a tree of its own.
NodeList cut_out(const NodeList& tree, std::size_t at) {
    const Node& node = tree[at];
    if (node.column < 0) return {Node{}};
    return join(node.column, node.code, cut_out(tree, static_cast<std::size_t>(node.left)),
                cut_out(tree, static_cast<std::size_t>(node.right)));
}

// Where a node divides the rows: a slot, and the last rank on the left; -1 if it divides nothing.
template <class T>
std::pair<std::size_t, std::int32_t> place_of(const Data& data, const Subset<T>& subset,
                                              const Node& node) {
    for (std::size_t slot = 0; slot < subset.slots(); ++slot) {
        const auto column = static_cast<std::size_t>(subset.columns[slot]);
        if (data.column[column] != node.column) continue;
        std::int32_t rank = -1;
        for (std::size_t i = 0; i < subset.size; ++i) {
            if (!subset.last(slot)[i]) continue;
            const auto row = static_cast<std::size_t>(
                subset.row[static_cast<std::size_t>(subset.order(slot)[i])]);
            const auto code = static_cast<std::size_t>(data.codes[column][row]);
            if (data.values[column][code] > node.code) return {slot, rank};
            ++rank;
        }
        return {slot, -1};
    }
    return {0, -1};
}

}  // namespace

double ways_to_spend(int discrepancies, int depth) {
    double ways = 1.0;
    for (int level = 1; level <= depth - 2; ++level) ways *= 2.0 * (discrepancies + level) / level;
    return ways;
}

template <class T>
NodeList Refine<T>::operator()(const Subset<T>& all, const NodeList& tree, Extent extent,
                               double work) {
    work_ = work;
    return branch(all, tree, extent);
}

template <class T>
int Refine<T>::affordable(int depth) const {
    int discrepancies = 0;
    while (discrepancies < 64 && ways_to_spend(discrepancies + 1, depth) <= work_) ++discrepancies;
    return discrepancies;
}

template <class T>
NodeList Refine<T>::branch(const Subset<T>& subset, NodeList tree, Extent extent) {
    extent = data_.worthwhile(extent, subset.leaf, subset.size);
    double cost = cost_of(data_, subset, tree);
    const double least = subset.unavoidable + data_.sparsity * (tree.size() > 1 ? 2.0 : 1.0);
    if (extent.depth == 0 || cost <= least + data_.tolerance) return tree;
    partial_ = tree;
    const Key key = Cache::key(subset.key, extent.depth, extent.leaves);
    if (const auto settled = settled_.find(key); settled != settled_.end()) {
        const double best = cost_of(data_, subset, settled->second);
        return best < cost - data_.tolerance ? settled->second : tree;
    }
    if (extent.depth <= 2) {
        Outcome outcome = search_.solve_cached(subset, extent.depth, extent.leaves, cost, Hint{});
        if (outcome.exact && outcome.lower < cost - data_.tolerance) tree = std::move(outcome.tree);
        settled_.emplace(key, tree);
        return tree;
    }
    if (extent.depth == 3) return three_levels(subset, tree, extent, cost);
    const Discrepancy<T> passes(data_, search_, Impurity::entropy, true);
    Guess guess = passes.guess(subset, extent.depth, extent.leaves, affordable(extent.depth), cost);
    if (guess.value < cost - data_.tolerance) tree = std::move(guess.tree);
    if (tree[0].column < 0) return tree;
    const auto [slot, rank] = place_of(data_, subset, tree[0]);
    if (rank < 0) return tree;
    NodeList side[2] = {cut_out(tree, static_cast<std::size_t>(tree[0].left)),
                        cut_out(tree, static_cast<std::size_t>(tree[0].right))};
    for (int s = 0; s < 2; ++s) {
        Subset<T> part;
        part.part(data_, subset, slot, rank, s == 0);
        const Extent room{extent.depth - 1, extent.leaves - leaves_of(side[1 - s])};
        try {
            side[s] = branch(part, side[s], room);
        } catch (const Halt&) {
            side[s] = partial_;
            partial_ = join(tree[0].column, tree[0].code, side[0], side[1]);
            throw;
        }
    }
    return join(tree[0].column, tree[0].code, side[0], side[1]);
}

template <class T>
NodeList Refine<T>::three_levels(const Subset<T>& subset, const NodeList& tree, Extent extent,
                                 double cost) {
    Thresholds<T> thresholds(data_, subset, extent.depth, extent.leaves, cost - data_.tolerance,
                             Hint{}, false);
    const auto better = [&] { return thresholds.value() < cost - data_.tolerance; };
    try {
        auto job = thresholds.next();
        for (double work = work_; job && work > 0.0; job = thresholds.next(), work -= 2.0) {
            thresholds.examine(search_, *job);
            thresholds.done(*job);
        }
        const NodeList best = better() ? thresholds.tree() : tree;
        if (!job) settled_.emplace(Cache::key(subset.key, extent.depth, extent.leaves), best);
        return best;
    } catch (const Halt&) {
        if (better()) partial_ = thresholds.tree();
        throw;
    }
}

template class Refine<std::int16_t>;
template class Refine<std::int32_t>;

}  // namespace ramify::optimal::continuous
