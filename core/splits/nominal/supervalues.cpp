#include "splits/nominal/supervalues.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "splits/nominal/order.hpp"
#include "support/sums.hpp"

namespace ramify {
namespace {

// Numbers levels by the first level of the same distribution. Levels of one distribution agree in
// any linear function of it, so only levels with nearly equal values are compared.
class FirstOfGroup {
  public:
    explicit FirstOfGroup(const Contingency& table)
        : table_(table), direction_(table.classes), first_(table.levels) {
        for (std::size_t j = 0; j < direction_.size(); ++j) {
            const double multiple = 0.6180339887498949 * static_cast<double>(j + 1);
            direction_[j] = multiple - std::floor(multiple);
        }
        std::vector<std::uint32_t> all(table.levels);
        std::iota(all.begin(), all.end(), 0u);
        // The first few classes tell most levels apart, and in a wide table reading them takes less
        // time.
        constexpr std::size_t few = 8;
        join(all, table.classes > 2 * few ? few : table.classes);
    }

    const std::vector<std::uint32_t>& levels() const { return first_; }

  private:
    // `levels` ascend. `classes`: how many of the first classes the linear function uses.
    void join(const std::vector<std::uint32_t>& levels, std::size_t classes) {
        std::vector<double> key(levels.size());
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const double* row = table_.counts + levels[i] * table_.classes;
            key[i] = dot(row, direction_.data(), classes) / table_.weight[levels[i]];
        }
        ShareOrder order;
        order.sort(key);
        std::vector<std::uint32_t> near;  // levels of nearly one value
        for (std::size_t begin = 0, end = 0; begin < levels.size(); begin = end) {
            near.clear();
            do {
                near.push_back(levels[order[end++]]);
            } while (end < levels.size() && key[order[end]] - key[order[end - 1]] <= 1e-10);
            if (near.size() == 1) {
                first_[near[0]] = near[0];
                continue;
            }
            std::sort(near.begin(), near.end());
            if (classes < table_.classes) {
                join(near, table_.classes);
            } else {
                compare(near);
            }
        }
    }

    void compare(const std::vector<std::uint32_t>& levels) {
        std::vector<std::uint32_t> heads;  // the first levels of groups
        for (const std::uint32_t level : levels) {
            const auto same = std::find_if(heads.begin(), heads.end(), [&](std::uint32_t head) {
                return same_distribution(table_, head, level);
            });
            first_[level] = same == heads.end() ? level : *same;
            if (same == heads.end()) heads.push_back(level);
        }
    }

    const Contingency& table_;
    std::vector<double> direction_;
    std::vector<std::uint32_t> first_;
};

// The group of every level, numbered by first member.
std::vector<std::uint32_t> groups(const Contingency& table, std::size_t& count) {
    const std::size_t n = table.levels;
    const FirstOfGroup found(table);
    const std::vector<std::uint32_t>& first = found.levels();
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
        if (criterion.walk_kind() == WalkKind::any || table.total[j] > 0.0) classes.push_back(j);
    }
    std::size_t count = 0;
    group_ = groups(table, count);
    if (count == 1) count = table.levels;  // if all are alike, all are kept apart
    merged_.levels = count;
    if (count == table.levels) group_.clear();
    if (count < table.levels || classes.size() < table.classes) copy(table, classes);
}

void Supervalues::copy(const Contingency& table, const std::vector<std::size_t>& classes) {
    const std::size_t k = classes.size();
    counts_.assign(merged_.levels * k, 0.0);
    support_.assign(merged_.levels, 0.0);
    weight_.assign(merged_.levels, 0.0);
    total_.resize(k);
    for (std::size_t i = 0; i < table.levels; ++i) {
        const std::size_t to = group_.empty() ? i : group_[i];
        const double* row = table.counts + i * table.classes;
        for (std::size_t j = 0; j < k; ++j) counts_[to * k + j] += row[classes[j]];
        support_[to] += table.support[i];
        weight_[to] += table.weight[i];
    }
    for (std::size_t j = 0; j < k; ++j) total_[j] = table.total[classes[j]];
    merged_.classes = k;
    merged_.counts = counts_.data();
    merged_.support = support_.data();
    merged_.weight = weight_.data();
    merged_.total = total_.data();
}

void Supervalues::expand(NominalSplit& split) const {
    if (group_.empty()) return;
    std::vector<std::uint8_t> right(group_.size());
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = split.right[group_[i]];
    split.right = std::move(right);
}

}  // namespace ramify
