// List scheduling (Laber, Molinaro and Pereira 2018; Pereira 2018, section 2.5.6): the classes,
// heaviest first, each go to the lighter of two superclasses, and one order is scanned. Invariant:
// ties go to the first class and the first superclass.
#pragma once

#include "splits/nominal/search.hpp"

namespace ramify {

struct ListScheduling final : NominalSearch {
    static constexpr NominalSearchInfo info{"list_scheduling", "none", "O(nk + n log n)",
                                            "Laber et al. 2018; Pereira 2018, section 2.5.6"};

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;
};

std::vector<std::uint8_t> balanced_superclass(const Contingency& table);  // marked

}  // namespace ramify
