// All ways to join the classes with weight into two superclasses; one class changes sides at a
// time. Where the partitions of the levels (2^n) are fewer than the prefixes of all orders (2^k n),
// the partitions themselves are tried. Invariant: the first class is never inside the superclass,
// and 2^(k-1) - 1 pairs are visited.
#pragma once

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "splits/nominal/gray_code.hpp"
#include "splits/nominal/supervalues.hpp"
#include "splits/work_limit.hpp"

namespace ramify {

inline constexpr std::size_t most_superclass_classes = 20;  // half a million pairs

inline std::size_t classes_with_weight(const Contingency& table) {
    return static_cast<std::size_t>(std::count_if(table.total, table.total + table.classes,
                                                  [](double weight) { return weight > 0.0; }));
}

inline bool fewer_partitions(const Contingency& table) {
    const std::size_t k = classes_with_weight(table);
    if (table.levels > most_superclass_classes) return false;
    if (k > most_superclass_classes) return true;
    return std::uint64_t{1} << table.levels <= std::uint64_t{table.levels} << k;
}

inline FoundSplit split_by_partitions(const Contingency& table, const Criterion& criterion,
                                      bool proven) {
    BestPartition best(table, criterion, times_within(most_steps, table.classes));
    Side side(table, criterion, std::uint64_t{1} << (table.levels - 1));
    const bool all = enumerate(table, side, best);
    return best.result(proven && all);
}

inline void require_few_classes(std::string_view name, const Contingency& table) {
    const std::size_t k = classes_with_weight(table);
    if (k <= most_superclass_classes) return;
    const std::string most = std::to_string(most_superclass_classes);
    throw std::invalid_argument(
        "categorical_split='" + std::string(name) +
        "' tries every pair of superclasses of at most " + most +
        " classes, or every partition of at most " + most + " levels, and an attribute has " +
        std::to_string(table.levels) + " levels of " + std::to_string(k) +
        " classes; choose 'auto', 'exact', 'pc_ext', 'largest_class_alone' or 'list_scheduling'");
}

// `by_superclasses(merged, proven)` searches the supervalues. `proven`: a best partition of
// supervalues is a best partition of the levels.
template <typename Search>
FoundSplit split_by_superclasses(std::string_view name, const Contingency& table,
                                 const Criterion& criterion, Search&& by_superclasses) {
    const bool mergeable = criterion.separable(table.classes) && !leaf_minimum_binds(table);
    if (!mergeable && fewer_partitions(table)) return split_by_partitions(table, criterion, true);
    return on_supervalues(table, criterion, [&](const Contingency& merged) {
        if (fewer_partitions(merged)) return split_by_partitions(merged, criterion, mergeable);
        require_few_classes(name, merged);
        return by_superclasses(merged, mergeable);
    });
}

// Calls visit(share): per level the share of its weight inside the superclass. Tells whether the
// limit of work sufficed for all of them; it always does for the first.
template <typename Visit>
bool for_each_superclass(const Contingency& table, Visit&& visit) {
    const std::size_t n = table.levels;
    std::vector<std::size_t> classes;
    for (std::size_t j = 0; j < table.classes; ++j) {
        if (table.total[j] > 0.0) classes.push_back(j);
    }
    std::vector<double> share(n, 0.0);
    if (classes.size() < 2) {
        visit(share);
        return true;
    }
    std::vector<double> shares(classes.size() * n);  // class by class
    for (std::size_t i = 0; i < n; ++i) {
        const double* row = table.counts + i * table.classes;
        for (std::size_t c = 0; c < classes.size(); ++c)
            shares[c * n + i] = row[classes[c]] / table.weight[i];
    }
    const std::uint64_t all = std::uint64_t{1} << (classes.size() - 1);
    const std::uint64_t steps = std::min(all, 1 + times_within(most_steps, n * classes.size()));
    for (std::uint64_t step = 1; step < steps; ++step) {
        const std::uint64_t code = step ^ (step >> 1);  // Gray code: bit c - 1 is class c
        const auto bit = static_cast<std::size_t>(std::countr_zero(step));
        if (step % 256 == 0) {  // made anew, because rounding adds up
            if (table.interrupt != nullptr) table.interrupt->poll();
            std::fill(share.begin(), share.end(), 0.0);
            for (std::size_t c = 1; c < classes.size(); ++c) {
                if ((code >> (c - 1) & 1) == 0) continue;
                for (std::size_t i = 0; i < n; ++i) share[i] += shares[c * n + i];
            }
        } else {
            const double sign = (code >> bit & 1) != 0 ? 1.0 : -1.0;
            const double* own = shares.data() + (bit + 1) * n;
            for (std::size_t i = 0; i < n; ++i) share[i] += sign * own[i];
        }
        visit(share);
    }
    return steps == all;
}

}  // namespace ramify
