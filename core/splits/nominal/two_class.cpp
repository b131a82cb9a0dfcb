#include "splits/nominal/two_class.hpp"

#include <stdexcept>

namespace ramify {

void TwoClass::require(const Criterion& criterion, std::size_t classes) const {
    NominalSearch::require(criterion, classes);
    if (classes == 2) return;
    throw std::invalid_argument(
        "categorical_split='two_class' orders the levels of two classes, and there are " +
        std::to_string(classes) + "; choose 'auto', 'exact', 'pc' or 'multiway'");
}

std::optional<NominalSplit> TwoClass::split(const Contingency& table,
                                            const Criterion& criterion) const {
    std::vector<double> share(table.levels);
    for (std::size_t i = 0; i < table.levels; ++i) {
        const double* row = table.counts + 2 * i;
        share[i] = row[1] / (row[0] + row[1]);
    }
    BestPartition best(table, criterion);
    scan_by_key(table, share, best);
    return best.result(criterion.concave() && !leaf_minimum_binds(table));
}

}  // namespace ramify
