#include "prune/sequence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "prune/cut.hpp"
#include "prune/risk.hpp"

namespace ramify {

std::vector<std::uint32_t> retires_at(const Tree& tree, const std::vector<double>& keys,
                                      std::span<const double> thresholds) {
    std::vector<std::uint32_t> at(tree.size(), 0);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        if (tree.arrays().kind[i] == 0) continue;
        at[i] = static_cast<std::uint32_t>(thresholds.size());
        if (keys[i] == never_pruned) continue;
        at[i] = static_cast<std::uint32_t>(
            std::lower_bound(thresholds.begin(), thresholds.end(), keys[i]) - thresholds.begin());
    }
    return at;
}

Sequence sequence_of(const Tree& tree, const Retirement& retirement,
                     const std::vector<double>& keys, const std::vector<double>& risk) {
    const TreeArrays& a = tree.arrays();
    Sequence sequence;
    std::vector<double>& thresholds = sequence.thresholds;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        if (a.kind[i] != 0 && keys[i] != never_pruned) thresholds.push_back(keys[i]);
    }
    thresholds.push_back(retirement.start(tree));
    std::sort(thresholds.begin(), thresholds.end());
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());

    const std::vector<std::uint32_t> at = retires_at(tree, keys, thresholds);
    const std::size_t count = thresholds.size();
    sequence.leaves.assign(count + 1, 0);
    sequence.risk.assign(count + 1, 0.0);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const std::size_t end = a.parent[i] < 0 ? count : at[static_cast<std::size_t>(a.parent[i])];
        sequence.leaves[at[i]] += 1;
        sequence.leaves[end] -= 1;
        sequence.risk[at[i]] += risk[i];
        sequence.risk[end] -= risk[i];
    }
    sequence.leaves.pop_back();
    sequence.risk.pop_back();
    for (std::size_t i = 1; i < count; ++i) {
        sequence.leaves[i] += sequence.leaves[i - 1];
        sequence.risk[i] += sequence.risk[i - 1];
    }
    for (double& value : sequence.risk) value = std::max(value, 0.0);  // rounding
    return sequence;
}

std::vector<double> thresholds_of_folds(const Sequence& sequence, const Retirement& retirement) {
    std::vector<double> result = sequence.thresholds;
    if (!retirement.continuous()) return result;
    for (std::size_t i = 0; i + 1 < result.size(); ++i) {
        if (result[i] >= 0.0) result[i] = std::sqrt(result[i]) * std::sqrt(result[i + 1]);
    }
    result.back() = std::numeric_limits<double>::infinity();
    return result;
}

KeyedSequence pruning_sequence(const Tree& tree, std::string_view keys,
                               const RetirementOptions& options) {
    if (!options.costs.empty() &&
        (tree.task() != Task::classification || !costs_fit(tree.width(), options.costs)))
        throw std::invalid_argument("costs do not fit the classes");
    const bool rmse = find_retirement(keys).rmse;
    const auto retirement = make_retirement(keys, options);
    KeyedSequence result;
    result.keys = retirement->keys(tree);
    const std::vector<double> risk =
        node_risk(tree, rmse ? Risk::brier : Risk::error, options.costs);
    result.sequence = sequence_of(tree, *retirement, result.keys, risk);
    if (rmse) {
        for (double& one : result.sequence.risk) one = std::sqrt(one);
    }
    result.thresholds_of_folds = thresholds_of_folds(result.sequence, *retirement);
    return result;
}

Tree cut_at(const Tree& tree, std::span<const double> keys, double threshold) {
    if (keys.size() != tree.size()) throw std::invalid_argument("keys: wrong length");
    std::vector<std::uint8_t> retired(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i)
        retired[i] = keys[i] <= threshold && keys[i] != never_pruned;
    return cut(tree, retired, {keys.begin(), keys.end()});
}

}  // namespace ramify
