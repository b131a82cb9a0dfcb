// A problem together with the arrays whose memory it reads. Invariant: the arrays live as long as
// the problem.
#pragma once

#include <vector>

#include "problem/owned_problem.hpp"
#include "python/table_binding.hpp"

namespace ramify::python {

struct BoundProblem : OwnedProblem {
    explicit BoundProblem(const nb::object& bound_table)
        : OwnedProblem(nb::cast<BoundTable&>(bound_table).table),
          table(nb::cast<BoundTable&>(bound_table).table),
          kept_alive{bound_table} {}

    Table& table;
    // By the last tree that was grown on its own, see Problem.
    std::vector<std::uint8_t> passed_over;
    std::vector<nb::object> kept_alive;
};

// The values of an array that may be None.
template <typename T>
std::optional<std::span<const T>> view(const std::optional<Array1<T>>& array) {
    if (!array) return std::nullopt;
    return view(*array);
}

// Narrows a problem to the given rows, if any are given.
inline Problem narrowed(Problem problem, const std::optional<Array1<std::uint8_t>>& included) {
    if (included) include_rows(problem, view(*included));
    return problem;
}

}  // namespace ramify::python
