// A Problem together with the parts it points to and the arrays whose memory it reads.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "grow/problem.hpp"
#include "python/table_binding.hpp"

namespace ramify::python {

struct BoundProblem {
    explicit BoundProblem(BoundTable& bound) : table(bound.table), problem{bound.table} {}
    BoundProblem(const BoundProblem&) = delete;

    template <typename Values, typename Weights>
    void keep(nb::object bound_table, const Values& values, const Weights& weights) {
        kept_alive.push_back(std::move(bound_table));
        kept_alive.push_back(nb::cast(values));
        kept_alive.push_back(nb::cast(weights));
    }

    // A copy that may be narrowed to some rows.
    Problem ready() const {
        if (table.used_up()) throw std::invalid_argument("the table has been used up");
        return problem;
    }

    Table& table;
    Problem problem;
    std::unique_ptr<Criterion> criterion;
    std::unique_ptr<NominalSearch> nominal;
    std::vector<double> costs;  // true class by answer, above the cheapest; may be empty
    std::vector<nb::object> kept_alive;
};

// The rows of a problem that take part; some row must.
inline std::span<const std::uint8_t> marks(const Problem& problem,
                                           const Array1<std::uint8_t>& included) {
    const auto given = view(included);
    if (given.size() != problem.table.rows()) throw std::invalid_argument("included: wrong length");
    Problem part = problem;
    part.included = given;
    for (std::size_t row = 0; row < given.size(); ++row) {
        if (part.includes(row)) return given;
    }
    throw std::invalid_argument("included: no row takes part");
}

inline void require_fit(const Problem& problem, const Tree& tree) {
    const bool same_task = (problem.classes > 0) == (tree.task() == Task::classification);
    if (!same_task || tree.columns() != problem.table.size() ||
        (problem.classes > 0 && tree.width() != problem.classes)) {
        throw std::invalid_argument("the tree was not grown on this problem");
    }
}

}  // namespace ramify::python
