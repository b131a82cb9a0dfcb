// The default search (Pereira 2018, chapter 4). It is exact where that is cheap. Otherwise it tries
// the principal component with exchanges, the largest class alone, balanced superclasses and, for
// few classes or levels, all superclasses and single moves. Local search refines each. For criteria
// that add up pairs of levels it is exact for few levels, and the greedy cut for more. Invariant:
// the bound of largest_class_alone holds, and the time is nearly linear where there are many
// levels.
#pragma once

#include "splits/nominal/search.hpp"
#include "splits/nominal/side.hpp"

namespace ramify {

struct Automatic final : NominalSearch {
    static constexpr NominalSearchInfo info{
        "auto", "exact where cheap; otherwise that of largest_class_alone",
        "O(nk^2 + k^3 + n log n)", "Pereira 2018, chapter 4", Takes::pairs};

    explicit Automatic(const NominalSearchOptions& given) : options(given) {}

    FoundSplit split(const Contingency& table, const Criterion& criterion) const override;

    NominalSearchOptions options;
};

// The heuristic part, within the limit of `best`.
void search_heuristically(const Contingency& table, const Criterion& criterion, Side& side,
                          BestPartition& best);

}  // namespace ramify
