#include "splits/nominal/largest_class_alone.hpp"

#include <algorithm>

#include "splits/nominal/scan.hpp"

namespace ramify {

std::vector<std::uint8_t> largest_class(const Contingency& table) {
    const std::vector<double> share = class_steps(table);
    std::vector<std::uint8_t> superclass(table.classes, 0);
    superclass[static_cast<std::size_t>(std::max_element(share.begin(), share.end()) -
                                        share.begin())] = 1;
    return superclass;
}

FoundSplit LargestClassAlone::split(const Contingency& table, const Criterion& criterion) const {
    return split_by_superclass(table, criterion, largest_class);
}

}  // namespace ramify
