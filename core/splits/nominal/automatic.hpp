// The search of the user who has not chosen one: exact where that is cheap, otherwise the principal
// component.
#pragma once

#include "splits/nominal/exact.hpp"
#include "splits/nominal/pc.hpp"
#include "splits/nominal/two_class.hpp"

namespace ramify {

struct Automatic final : NominalSearch {
    static constexpr std::size_t few_levels = 10;
    std::optional<NominalSplit> split(const Contingency& table,
                                      const Criterion& criterion) const override {
        if (table.classes == 2 && criterion.concave()) {
            return TwoClass().split(table, criterion);
        }
        if (table.levels <= few_levels) return Exact().split(table, criterion);
        return PrincipalComponent().split(table, criterion);
    }
};

}  // namespace ramify
