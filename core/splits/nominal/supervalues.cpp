#include "splits/nominal/supervalues.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splits/nominal/order.hpp"
#include "support/sums.hpp"

namespace ramify {
namespace {

// The group of every level, numbered by first member. Levels of one distribution have one value of
// any linear function of it: only levels with nearly equal values need comparing.
std::vector<std::uint32_t> groups(const Contingency& table, std::size_t& count) {
    const std::size_t n = table.levels;
    const std::size_t k = table.classes;
    std::vector<double> direction(k);
    for (std::size_t j = 0; j < k; ++j) {
        const double multiple = 0.6180339887498949 * static_cast<double>(j + 1);
        direction[j] = multiple - std::floor(multiple);
    }
    std::vector<double> key(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double* row = table.counts + i * k;
        key[i] = dot(row, direction.data(), k) / sum_of(row, k);
    }
    ShareOrder order;
    order.sort(key);
    std::vector<std::uint32_t> first(n);  // the first level of the group
    std::vector<std::uint32_t> heads;     // of the groups with nearly this value
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t level = order[i];
        if (i > 0 && key[level] - key[order[i - 1]] > 1e-10) heads.clear();
        const auto same = std::find_if(heads.begin(), heads.end(), [&](std::uint32_t head) {
            return same_distribution(table, head, level);
        });
        if (same == heads.end()) {
            heads.push_back(level);
            first[level] = level;
        } else {
            if (level < *same) {  // equal up to rounding, but sorted behind
                for (auto& f : first) f = f == *same ? level : f;
                *same = level;
            }
            first[level] = *same;
        }
    }
    count = 0;
    std::vector<std::uint32_t> group(n);
    for (std::size_t i = 0; i < n; ++i) {
        group[i] = first[i] == i ? static_cast<std::uint32_t>(count++) : group[first[i]];
    }
    return group;
}

}  // namespace

Supervalues::Supervalues(const Contingency& table, const Criterion& criterion) : merged_(table) {
    std::vector<std::size_t> classes;
    for (std::size_t j = 0; j < table.classes; ++j) {
        if (criterion.walk() == Walk::any || table.total[j] > 0.0) classes.push_back(j);
    }
    std::size_t count = 0;
    group_ = groups(table, count);
    if (count == 1) count = table.levels;  // all alike: then all are kept apart
    merged_.levels = count;
    if (count == table.levels) group_.clear();
    if (count < table.levels || classes.size() < table.classes) copy(table, classes);
}

void Supervalues::copy(const Contingency& table, const std::vector<std::size_t>& classes) {
    const std::size_t k = classes.size();
    counts_.assign(merged_.levels * k, 0.0);
    support_.assign(merged_.levels, 0.0);
    total_.resize(k);
    for (std::size_t i = 0; i < table.levels; ++i) {
        const std::size_t to = group_.empty() ? i : group_[i];
        const double* row = table.counts + i * table.classes;
        for (std::size_t j = 0; j < k; ++j) counts_[to * k + j] += row[classes[j]];
        support_[to] += table.support[i];
    }
    for (std::size_t j = 0; j < k; ++j) total_[j] = table.total[classes[j]];
    merged_.classes = k;
    merged_.counts = counts_.data();
    merged_.support = support_.data();
    merged_.total = total_.data();
}

void Supervalues::expand(NominalSplit& split) const {
    if (group_.empty()) return;
    std::vector<std::uint8_t> right(group_.size());
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = split.right[group_[i]];
    split.right = std::move(right);
}

}  // namespace ramify
