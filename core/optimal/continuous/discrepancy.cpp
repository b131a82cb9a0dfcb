#include "optimal/continuous/discrepancy.hpp"

#include <algorithm>
#include <cmath>

#include "optimal/continuous/rank_walk.hpp"
#include "optimal/continuous/scan.hpp"

namespace ramify::optimal::continuous {

// Impurity times weight: by class weights, or the squared error.
template <class T>
double Discrepancy<T>::impurity_of(const std::vector<double>& sums) const {
    if (data_.regression) return data_.loss(sums.data());
    double total = 0.0, impurity = 0.0;
    for (const double w : sums) total += w;
    if (total <= 0.0) return 0.0;
    for (const double w : sums) {
        if (w <= 0.0) continue;
        impurity +=
            impurity_ == Impurity::entropy ? -w * std::log(w / total) : w * (1.0 - w / total);
    }
    return impurity;
}

template <class T>
std::vector<typename Discrepancy<T>::Choice> Discrepancy<T>::choices(
    const Subset<T>& subset) const {
    std::vector<Choice> best;
    const std::size_t width = data_.regression ? data_.width : data_.classes;
    const auto add = [&](std::vector<double>& sums, std::size_t local) {
        const auto row = static_cast<std::size_t>(subset.row[local]);
        if (data_.regression) {
            data_.add(row, sums.data());
        } else {
            sums[static_cast<std::size_t>(data_.labels[row])] += data_.stake[row];
        }
    };
    std::vector<double> all(width, 0.0), left(width), right(width);
    for (std::size_t local = 0; local < subset.size; ++local) add(all, local);
    const auto size = static_cast<std::int64_t>(subset.size);
    RankWalk<T> walk(data_);
    std::vector<double> prefix, suffix;
    if (data_.by_ranks()) walk.load(subset);
    for (std::size_t slot = 0; slot < subset.slots(); ++slot) {
        std::fill(left.begin(), left.end(), 0.0);
        if (data_.by_ranks()) {
            walk.walk({subset.order(slot), subset.order(slot) + subset.size}, prefix, suffix);
        }
        std::int32_t threshold = -1;
        Choice choice;
        for (std::size_t i = 0; i + 1 < subset.size; ++i) {
            if (!data_.by_ranks()) add(left, static_cast<std::size_t>(subset.order(slot)[i]));
            if (!subset.last(slot)[i]) continue;
            ++threshold;
            const auto count = static_cast<std::int64_t>(i + 1);
            if (std::min(count, size - count) < data_.min_leaf) continue;
            double impurity;
            if (data_.by_ranks()) {
                impurity = prefix[i] + suffix[i];
            } else {
                for (std::size_t p = 0; p < width; ++p) right[p] = all[p] - left[p];
                impurity = impurity_of(left) + impurity_of(right);
            }
            if (impurity < choice.impurity) choice = {impurity, slot, threshold, i};
        }
        if (choice.impurity < kInfinity) best.push_back(choice);
    }
    std::stable_sort(best.begin(), best.end());
    if (look_ahead_) {
        const Choice ahead = look_ahead(subset);
        if (ahead.impurity < kInfinity) best.insert(best.begin(), ahead);
    }
    return best;
}

template <class T>
typename Discrepancy<T>::Choice Discrepancy<T>::look_ahead(const Subset<T>& subset) const {
    Choice choice;
    const Outcome outcome = search_.solve_cached(subset, 2, 4, kInfinity, Hint{});
    const Node& first = outcome.tree[0];
    if (first.column < 0) return choice;
    for (std::size_t slot = 0; slot < subset.slots(); ++slot) {
        if (data_.column[static_cast<std::size_t>(subset.columns[slot])] != first.column) continue;
        std::int32_t threshold = -1;
        for (std::size_t i = 0; i < subset.size; ++i) {
            if (!subset.last(slot)[i]) continue;
            ++threshold;
            if (code_of(data_, subset, slot, i) == first.code) {
                choice = {0.0, slot, threshold, i};
            }
        }
    }
    return choice;
}

template <class T>
Guess Discrepancy<T>::guess(const Subset<T>& subset, int depth, std::int64_t leaves,
                            int discrepancies, double budget) const {
    const double leaf = subset.leaf + data_.sparsity;
    Guess best;
    const Extent extent = data_.worthwhile({depth, leaves}, subset.leaf, subset.size);
    depth = extent.depth;
    leaves = extent.leaves;
    if (depth <= 2 || leaf <= subset.unavoidable + data_.sparsity) {
        Outcome outcome = search_.solve_cached(subset, depth, leaves, budget, Hint{});
        if (outcome.exact && outcome.lower < budget) {
            best = {outcome.lower, std::move(outcome.tree)};
        }
        return best;
    }
    if (leaf < budget) best = {leaf, {Node{}}};
    const std::int64_t half = full_leaves(depth - 1);
    const std::int64_t share[2] = {std::min(half, leaves / 2), std::min(half, leaves - leaves / 2)};
    const std::vector<Choice> ranked = choices(subset);
    for (std::size_t i = 0; i < ranked.size() && static_cast<int>(i) <= discrepancies; ++i) {
        const Choice& choice = ranked[i];
        Guess branch[2];
        double rest = std::min(budget, best.value);
        for (int side = 0; side < 2 && rest > 0.0; ++side) {
            Subset<T> part;
            part.part(data_, subset, choice.slot, choice.threshold, side == 0);
            branch[side] =
                guess(part, depth - 1, share[side], discrepancies - static_cast<int>(i), rest);
            rest -= branch[side].value;
        }
        if (!(rest > data_.tolerance / 2)) continue;
        const auto column = static_cast<std::size_t>(subset.columns[choice.slot]);
        best = {branch[0].value + branch[1].value,
                join(data_.column[column], code_of(data_, subset, choice.slot, choice.position),
                     branch[0].tree, branch[1].tree)};
    }
    return best;
}

template class Discrepancy<std::int16_t>;
template class Discrepancy<std::int32_t>;

}  // namespace ramify::optimal::continuous
