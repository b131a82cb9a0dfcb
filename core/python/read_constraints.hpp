// Constraints of growth, read from what Python gives: lists of column numbers, and the nodes of a
// skeleton as tuples. Invariant: numbers of columns are checked here, all else by require_fit().
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "problem/constraints.hpp"

namespace ramify::python {

using ColumnNumbers = std::vector<std::size_t>;
// Kind, column, threshold, branch of missing values, branch of every level, children, whether it is
// closed, and the columns that are allowed from it on.
using GivenNode = std::tuple<int, std::int32_t, double, std::int32_t, std::vector<std::int32_t>,
                             std::vector<std::int32_t>, bool, std::optional<ColumnNumbers>>;
// Groups, the columns that are allowed, and the skeleton.
using GivenConstraints =
    std::tuple<std::vector<ColumnNumbers>, std::optional<ColumnNumbers>, std::vector<GivenNode>>;

inline ColumnSet column_set(const ColumnNumbers& numbers, std::size_t columns) {
    ColumnSet set(columns, false);
    for (const std::size_t number : numbers) {
        if (number >= columns) throw std::invalid_argument("constraints: no such column");
        set[number] = true;
    }
    return set;
}

inline Constraints read_constraints(const GivenConstraints& given, std::size_t columns) {
    const auto& [groups, allowed, skeleton] = given;
    Constraints constraints;
    for (const ColumnNumbers& group : groups)
        constraints.groups.push_back(column_set(group, columns));
    if (allowed) constraints.columns = column_set(*allowed, columns);
    for (const auto& [kind, column, threshold, missing_to, levels, children, closed, narrowed] :
         skeleton) {
        if (kind < 0 || kind > static_cast<int>(ConditionKind::multiway))
            throw std::invalid_argument("constraints: no such kind of condition");
        SkeletonNode node{static_cast<ConditionKind>(kind),
                          column,
                          threshold,
                          missing_to,
                          levels,
                          children,
                          closed,
                          {}};
        if (narrowed) node.columns = column_set(*narrowed, columns);
        constraints.skeleton.push_back(std::move(node));
    }
    return constraints;
}

}  // namespace ramify::python
