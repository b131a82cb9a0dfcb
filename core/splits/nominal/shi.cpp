#include "splits/nominal/shi.hpp"

#include "splits/nominal/exact.hpp"
#include "splits/nominal/pc.hpp"
#include "splits/nominal/two_class.hpp"

namespace ramify {

FoundSplit Shi::split(const Contingency& table, const Criterion& criterion) const {
    if (table.levels <= few_levels) return Exact(NominalSearchOptions{}).split(table, criterion);
    if (table.classes == 2) return TwoClass().split(table, criterion);
    return PrincipalComponent().split(table, criterion);
}

}  // namespace ramify
