// The search of the user who has not chosen one (Pereira 2018, chapter 4): exact where that is
// cheap; otherwise the principal component with exchanges, the largest class alone (whose bound
// then holds), balanced superclasses and, for few classes or levels, all superclasses and single
// moves, each refined by local search. Near linear in the number of levels where there are many.
// Criteria that add up pairs of levels: exact for few levels, otherwise the greedy cut.
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

// The heuristic part, as far as the limit of `best` goes.
void search_heuristically(const Contingency& table, const Criterion& criterion, Side& side,
                          BestPartition& best);

}  // namespace ramify
