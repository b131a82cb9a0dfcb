#include "splits/nominal/list_scheduling.hpp"

#include <algorithm>
#include <numeric>

#include "splits/nominal/scan.hpp"

namespace ramify {

std::vector<std::uint8_t> balanced_superclass(const Contingency& table) {
    const std::vector<double> share = class_steps(table);
    const double rounding = 1e-11 * weight_of(table.total, table.classes);
    std::vector<std::size_t> heaviest_first(table.classes);
    std::iota(heaviest_first.begin(), heaviest_first.end(), std::size_t{0});
    std::stable_sort(heaviest_first.begin(), heaviest_first.end(),
                     [&](std::size_t a, std::size_t b) { return share[a] > share[b]; });
    std::vector<std::uint8_t> superclass(table.classes, 0);
    double inside = 0.0;
    double outside = 0.0;
    for (const std::size_t j : heaviest_first) {
        if (inside <= outside + rounding) {
            superclass[j] = 1;
            inside += table.total[j];
        } else {
            outside += table.total[j];
        }
    }
    return superclass;
}

FoundSplit ListScheduling::split(const Contingency& table, const Criterion& criterion) const {
    return split_by_superclass(table, criterion, balanced_superclass);
}

}  // namespace ramify
