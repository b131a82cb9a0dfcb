// All ways of making two superclasses of the classes with weight, one class changing sides at a
// time. Invariant: the first of these classes is never inside; 2^(k-1) - 1 pairs are visited.
#pragma once

#include <bit>
#include <stdexcept>
#include <string>

#include "splits/nominal/search.hpp"

namespace ramify {

inline constexpr std::size_t most_superclass_classes = 20;  // half a million pairs

inline void require_few_classes(std::string_view name, std::size_t classes) {
    if (classes <= most_superclass_classes) return;
    throw std::invalid_argument(
        "categorical_split='" + std::string(name) +
        "' tries every pair of superclasses of at most " + std::to_string(most_superclass_classes) +
        " classes, and there are " + std::to_string(classes) +
        "; choose 'auto', 'pc_ext', 'largest_class_alone' or 'list_scheduling'");
}

// Calls visit(share): per level the share of its weight inside the superclass.
template <typename Visit>
void for_each_superclass(const Contingency& table, Visit&& visit) {
    const std::size_t n = table.levels;
    std::vector<std::size_t> classes;
    for (std::size_t j = 0; j < table.classes; ++j) {
        if (table.total[j] > 0.0) classes.push_back(j);
    }
    std::vector<double> share(n, 0.0);
    if (classes.size() < 2) {
        visit(share);
        return;
    }
    std::vector<double> shares(classes.size() * n);  // class by class
    for (std::size_t i = 0; i < n; ++i) {
        const double* row = table.counts + i * table.classes;
        for (std::size_t c = 0; c < classes.size(); ++c)
            shares[c * n + i] = row[classes[c]] / table.weight[i];
    }
    const std::uint64_t steps = std::uint64_t{1} << (classes.size() - 1);
    for (std::uint64_t step = 1; step < steps; ++step) {
        const std::uint64_t code = step ^ (step >> 1);  // Gray code: bit c - 1 is class c
        const auto bit = static_cast<std::size_t>(std::countr_zero(step));
        if (step % 256 == 0) {  // what rounding has added up is taken out again
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
}

}  // namespace ramify
