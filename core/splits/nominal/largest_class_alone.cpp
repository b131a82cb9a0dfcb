#include "splits/nominal/largest_class_alone.hpp"

#include <algorithm>

#include "splits/nominal/scan.hpp"

namespace ramify {

std::vector<std::uint8_t> largest_class(const Contingency& table) {
    std::vector<std::uint8_t> superclass(table.classes, 0);
    superclass[static_cast<std::size_t>(std::max_element(table.total, table.total + table.classes) -
                                        table.total)] = 1;
    return superclass;
}

std::optional<NominalSplit> LargestClassAlone::split(const Contingency& table,
                                                     const Criterion& criterion) const {
    return split_by_superclass(table, criterion, largest_class);
}

}  // namespace ramify
