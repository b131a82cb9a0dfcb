#include "splits/nominal/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "splits/nominal/order.hpp"

namespace ramify {

namespace {
constexpr double leaf_slack = 1e-9;  // fractions are sums of shares
}

bool leaf_minimum_binds(const Contingency& table) {
    return std::any_of(table.support, table.support + table.levels,
                       [&](double support) { return support < table.min_leaf - leaf_slack; });
}

BestPartition::BestPartition(const Contingency& table, const Criterion& criterion,
                             std::uint64_t limit)
    : table_(table),
      criterion_(criterion),
      scale_(criterion.scale(table.total, table.classes)),
      support_(std::accumulate(table.support, table.support + table.levels, 0.0)),
      children_(2 * table.classes),
      contest_(table.balanced),
      limit_(limit) {
    best_.score = contest_.highest();
    if (std::isfinite(scale_)) tolerance_ = tie_tolerance * scale_;
}

bool BestPartition::feasible(double left_support) const {
    return left_support >= table_.min_leaf - leaf_slack &&
           support_ - left_support >= table_.min_leaf - leaf_slack;
}

bool BestPartition::offer(const double* sums, double left_support) {
    if (!feasible(left_support) || left() == 0) {
        pass();
        return false;
    }
    for (std::size_t j = 0; j < table_.classes; ++j) {
        const double rest = table_.total[j] - sums[j];
        // Rounding may leave a little of a class that is all on the other side: that counts as
        // nothing.
        children_[j] = sums[j] > table_.total[j] * 1e-13 ? sums[j] : 0.0;
        children_[table_.classes + j] = rest > table_.total[j] * 1e-13 ? rest : 0.0;
    }
    const double score = criterion_.score({table_.total, children_.data(), 2, table_.classes});
    const auto weight = [&](std::size_t side) {
        return weight_of(children_.data() + side * table_.classes, table_.classes);
    };
    return offer_score(score, left_support, [&] { return balance_of(2, weight); });
}

void BestPartition::keep(std::vector<std::uint8_t> right) {
    best_.right = std::move(right);
    if (best_.right[0] != 0) {
        for (auto& side : best_.right) side = side == 0;
    }
}

FoundSplit BestPartition::result(bool proven) {
    if (best_.right.empty()) return std::nullopt;
    NominalSplit split = std::move(best_);
    // A gain as small as rounding is none.
    constexpr double rounding = 1e-14;
    const double nothing = criterion_.baseline(table_.total, table_.classes);
    if (std::abs(split.score - nothing) <= rounding * scale_) split.score = nothing;
    split.proven = proven;
    split.work = work_;
    return split;
}

bool same_distribution(const Contingency& table, std::size_t i, std::size_t j) {
    const double* a = table.counts + i * table.classes;
    const double* b = table.counts + j * table.classes;
    const double weight_a = table.weight[i];
    const double weight_b = table.weight[j];
    for (std::size_t c = 0; c < table.classes; ++c) {
        if (std::abs(a[c] * weight_b - b[c] * weight_a) > 1e-12 * weight_a * weight_b) return false;
    }
    return true;
}

std::vector<double> class_steps(const Contingency& table) {
    const double step = weight_of(table.total, table.classes) * 1e-11;
    std::vector<double> steps(table.classes);
    for (std::size_t j = 0; j < table.classes; ++j)
        steps[j] = step > 0.0 ? std::nearbyint(table.total[j] / step) : 0.0;
    return steps;
}

std::vector<std::size_t> order_by_key(const std::vector<double>& key, double centre, double scale) {
    std::vector<double> rounded(key.size());
    for (std::size_t i = 0; i < key.size(); ++i)
        rounded[i] = scale > 0.0 ? std::nearbyint((key[i] - centre) / (scale * 1e-11)) : 0.0;
    return order_of_steps(rounded);
}

void scan_by_key(const Contingency& table, const std::vector<double>& key, BestPartition& best) {
    double largest = 0.0;
    for (const double k : key) largest = std::max(largest, std::abs(k));
    const std::vector<std::size_t> order = order_by_key(key, 0.0, largest);
    bool all_same = true;
    for (std::size_t i = 1; i < table.levels && all_same; ++i) {
        all_same = same_distribution(table, order[i - 1], order[i]);
    }
    std::vector<double> left(table.classes, 0.0);
    double left_support = 0.0;
    std::size_t cut = 0;
    for (std::size_t i = 0; i + 1 < table.levels; ++i) {
        const double* row = table.counts + order[i] * table.classes;
        for (std::size_t j = 0; j < table.classes; ++j) left[j] += row[j];
        left_support += table.support[order[i]];
        if (!all_same && same_distribution(table, order[i], order[i + 1])) continue;
        if (best.offer(left.data(), left_support)) cut = i + 1;
    }
    if (cut == 0) return;
    std::vector<std::uint8_t> right(table.levels, 1);
    for (std::size_t i = 0; i < cut; ++i) right[order[i]] = 0;
    best.keep(std::move(right));
}

}  // namespace ramify
