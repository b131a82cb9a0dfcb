#include "optimal/continuous/search.hpp"

#include <algorithm>

#include "optimal/continuous/scan.hpp"
#include "optimal/continuous/thresholds.hpp"

namespace ramify::optimal::continuous {

template <class T>
double cost_of(const Data& data, const Subset<T>& subset, const NodeList& tree) {
    std::vector<double> sums(tree.size() * data.width, 0.0);
    std::vector<std::int64_t> rows(tree.size(), 0);
    std::vector<std::size_t> column(tree.size(), 0);  // of the data, by node
    std::vector<std::int32_t> code(tree.size(), 0);   // dense
    for (std::size_t at = 0; at < tree.size(); ++at) {
        if (tree[at].column < 0) continue;
        const auto found = std::find(data.column.begin(), data.column.end(), tree[at].column);
        if (found == data.column.end()) return kInfinity;  // a constant column splits nothing
        column[at] = static_cast<std::size_t>(found - data.column.begin());
        const auto& values = data.values[column[at]];
        code[at] = static_cast<std::int32_t>(
            std::upper_bound(values.begin(), values.end(), tree[at].code) - values.begin());
    }
    for (const auto row : subset.row) {
        std::size_t at = 0;
        const auto r = static_cast<std::size_t>(row);
        while (tree[at].column >= 0) {
            const bool left = data.codes[column[at]][r] < code[at];
            at = static_cast<std::size_t>(left ? tree[at].left : tree[at].right);
        }
        ++rows[at];
        data.add(r, sums.data() + at * data.width);
    }
    double cost = 0.0;
    for (std::size_t at = 0; at < tree.size(); ++at) {
        if (tree[at].column >= 0) continue;
        if (rows[at] < data.min_leaf) return kInfinity;
        cost += data.loss(sums.data() + at * data.width) + data.sparsity;
    }
    return cost;
}

// A tree predicts no more classes than it has leaves.
template <class T>
double fewest_errors(const Data& data, const Subset<T>& subset, std::int64_t leaves) {
    if (!data.counting || static_cast<std::int64_t>(data.classes) <= leaves) return 0.0;
    // The contribution to a class counts the rows of all other classes.
    std::vector<double> errors = subset.sums;
    std::sort(errors.begin(), errors.end());
    auto fewest = static_cast<double>(subset.size);
    for (std::int64_t c = 0; c < leaves; ++c) {
        fewest -= static_cast<double>(subset.size) - errors[static_cast<std::size_t>(c)];
    }
    return fewest;
}

template <class T>
Outcome Search<T>::solve(const Branch& branch, int depth, std::int64_t leaves, double budget,
                         const Hint& hint) {
    const Extent extent = data_.worthwhile({depth, leaves}, branch.leaf, branch.rows);
    const Key key = Cache::key(branch.key, extent.depth, extent.leaves);
    const auto known = cache_.find(key);
    if (known && (known->exact || known->lower >= budget - data_.tolerance)) return *known;
    if (extent.leaves < full_leaves(extent.depth)) {  // trees of any number of leaves cost no more
        auto any = cache_.find(Cache::key(branch.key, extent.depth, full_leaves(extent.depth)));
        if (any && any->lower >= budget - data_.tolerance) {
            any->exact = false;
            any->tree.clear();
            return *any;
        }
    }
    std::unique_ptr<Subset<T>> subset;
    if (spare_.empty()) {
        subset = std::make_unique<Subset<T>>();
    } else {
        subset = std::move(spare_.back());
        spare_.pop_back();
    }
    subset->part(data_, branch.parent, branch.slot, branch.threshold, branch.left);
    Outcome outcome = solve(*subset, depth, leaves, budget, hint);
    spare_.push_back(std::move(subset));
    if (known) outcome.lower = std::max(outcome.lower, known->lower);
    cache_.store(key, outcome);
    return outcome;
}

template <class T>
Outcome Search<T>::solve_cached(const Subset<T>& subset, int depth, std::int64_t leaves,
                                double budget, const Hint& hint) {
    const Extent extent = data_.worthwhile({depth, leaves}, subset.leaf, subset.size);
    const Key key = Cache::key(subset.key, extent.depth, extent.leaves);
    const auto known = cache_.find(key);
    if (known && (known->exact || known->lower >= budget - data_.tolerance)) return *known;
    Outcome outcome = solve(subset, depth, leaves, budget, hint);
    cache_.store(key, outcome);
    return outcome;
}

template <class T>
Outcome Search<T>::solve(const Subset<T>& subset, int depth, std::int64_t leaves, double budget,
                         const Hint& hint) {
    ++statistics.subproblems;
    monitor_.poll();
    const double leaf = subset.leaf + data_.sparsity;
    Outcome best;
    best.lower = leaf;
    best.exact = true;
    best.tree = {Node{}};
    const double least = std::max(subset.unavoidable, fewest_errors(data_, subset, leaves)) +
                         2 * data_.sparsity;  // with a split
    const Extent whole = data_.worthwhile({depth, leaves}, subset.leaf, subset.size);
    if (whole.depth == 0 || least >= leaf - data_.tolerance) return best;
    if (least >= budget - data_.tolerance) {
        ++statistics.bounded;
        best.lower = std::min(leaf, least);
        best.exact = leaf <= least;
        return best;
    }
    if (whole.depth == 1) return depth_one(data_, subset);
    if (hint.tree) {
        const double cost = cost_of(data_, subset, *hint.tree);
        if (cost < best.lower) best.lower = cost, best.tree = *hint.tree;
    }
    const double limit = std::min(budget, best.lower) - data_.tolerance;
    // Trees with more leaves than this are not below the limit.
    const std::int64_t reach = leaves_below(limit, subset.unavoidable, data_.sparsity);
    const Extent extent = whole.within(reach);
    if (extent.depth == 0) return best;
    Outcome outcome;
    if (extent.depth == 1) {
        outcome = depth_one(data_, subset);
        outcome.exact = outcome.lower < limit;
    } else if (extent.depth == 2 && switches_.depth_two) {
        ++statistics.depth_two;
        depth_two_.solve(subset, extent.leaves, limit, hint, outcome);
    } else {
        Thresholds<T> thresholds(data_, subset, extent.depth, extent.leaves, limit, hint, false);
        while (auto job = thresholds.next()) {
            thresholds.examine(*this, *job);
            thresholds.done(*job);
        }
        thresholds.finish(outcome);
    }
    const std::int64_t most = std::min(reach, leaves_below(leaf, 0.0, data_.sparsity));
    if (most < any_leaves && extent != Extent{depth, leaves}.within(any_leaves)) {
        // The bounds hold for the trees that were searched; all others have more leaves.
        const double beyond = least_beyond(most, subset.unavoidable, data_.sparsity);
        if (!outcome.exact) outcome.lower = std::min(outcome.lower, beyond);
        for (double& bound : outcome.by_column) {
            if (bound < kInfinity) bound = std::min(bound, beyond);
        }
    }
    if (outcome.exact) return outcome;
    // No tree with a split costs less than the limit.
    if (best.lower <= budget || best.lower <= outcome.lower) {
        best.by_column = std::move(outcome.by_column);
        return best;
    }
    outcome.lower = std::min(outcome.lower, best.lower);
    return outcome;
}

template class Search<std::int16_t>;
template class Search<std::int32_t>;
template double cost_of(const Data&, const Subset<std::int16_t>&, const NodeList&);
template double cost_of(const Data&, const Subset<std::int32_t>&, const NodeList&);

}  // namespace ramify::optimal::continuous
