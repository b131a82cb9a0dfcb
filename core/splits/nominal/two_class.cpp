#include "splits/nominal/two_class.hpp"

#include <stdexcept>

namespace ramify {

FoundSplit TwoClass::split(const Contingency& table, const Criterion& criterion) const {
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
