#include "optimal/continuous/greedy.hpp"

#include <cmath>

#include "optimal/continuous/scan.hpp"

namespace ramify::optimal {
namespace {

struct Choice {
    double impurity = kInfinity;
    std::size_t slot = 0;
    std::int32_t threshold = 0;
    std::int32_t code = 0;
};

// Impurity times weight: of class weights, or squared error.
double impurity(const Data& data, const std::vector<double>& sums, bool entropy) {
    if (data.regression) return data.loss(sums.data());
    double total = 0.0, part = 0.0;
    for (const double w : sums) total += w;
    if (total <= 0.0) return 0.0;
    for (const double w : sums) {
        if (w > 0.0) part += entropy ? -w * std::log(w / total) : w * (1.0 - w / total);
    }
    return part;
}

template <class T>
Choice best_split(const Data& data, const Subset<T>& subset, bool entropy) {
    Choice best;
    const std::size_t width = data.regression ? 3 : data.classes;
    const auto add = [&](std::vector<double>& sums, std::size_t local) {
        const auto row = static_cast<std::size_t>(subset.row[local]);
        if (data.regression) {
            for (std::size_t p = 0; p < 3; ++p) sums[p] += data.contribution[row * 3 + p];
        } else {
            sums[static_cast<std::size_t>(data.labels[row])] += data.stake[row];
        }
    };
    std::vector<double> all(width, 0.0), left(width), right(width);
    for (std::size_t local = 0; local < subset.size; ++local) add(all, local);
    for (std::size_t slot = 0; slot < subset.slots(); ++slot) {
        std::fill(left.begin(), left.end(), 0.0);
        std::int32_t threshold = -1;
        for (std::size_t i = 0; i + 1 < subset.size; ++i) {
            add(left, static_cast<std::size_t>(subset.order(slot)[i]));
            if (!subset.last(slot)[i]) continue;
            ++threshold;
            const auto count = static_cast<std::int64_t>(i + 1);
            if (count < data.min_leaf ||
                static_cast<std::int64_t>(subset.size) - count < data.min_leaf) {
                continue;
            }
            for (std::size_t p = 0; p < width; ++p) right[p] = all[p] - left[p];
            const double value = impurity(data, left, entropy) + impurity(data, right, entropy);
            if (value < best.impurity) {
                best = {value, slot, threshold, code_of(data, subset, slot, i)};
            }
        }
    }
    return best;
}

}  // namespace

template <class T>
NodeList greedy_tree(const Data& data, Search<T>& search, const Subset<T>& subset, int depth,
                     std::int64_t leaves, bool entropy) {
    if (depth <= 2 || leaves <= 2 || subset.leaf <= subset.unavoidable + data.tolerance) {
        return search.solve(subset, depth, leaves, kInfinity, Hint{}).tree;
    }
    const Choice choice = best_split(data, subset, entropy);
    if (choice.impurity == kInfinity) return {Node{}};
    NodeList branch[2];
    const std::int64_t half = std::int64_t{1} << std::min(depth - 1, 40);
    const std::int64_t share[2] = {std::min(half, leaves / 2), std::min(half, leaves - leaves / 2)};
    for (int side = 0; side < 2; ++side) {
        Subset<T> part;
        part.part(data, subset, choice.slot, choice.threshold, side == 0);
        branch[side] = greedy_tree(data, search, part, depth - 1, share[side], entropy);
    }
    const auto column = static_cast<std::size_t>(subset.columns[choice.slot]);
    NodeList tree = join(data.column[column], choice.code, branch[0], branch[1]);
    const double cost = cost_of(data, subset, tree);
    return cost < subset.leaf + data.sparsity ? tree : NodeList{Node{}};
}

template NodeList greedy_tree(const Data&, Search<std::int16_t>&, const Subset<std::int16_t>&, int,
                              std::int64_t, bool);
template NodeList greedy_tree(const Data&, Search<std::int32_t>&, const Subset<std::int32_t>&, int,
                              std::int64_t, bool);

}  // namespace ramify::optimal
