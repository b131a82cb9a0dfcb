#include "problem/problem.hpp"

#include <stdexcept>

namespace ramify {

void include_rows(Problem& problem, std::span<const std::uint8_t> included) {
    if (included.size() != problem.table.rows())
        throw std::invalid_argument("included: wrong length");
    problem.included = included;
    for (std::size_t row = 0; row < included.size(); ++row) {
        if (problem.includes(row)) return;
    }
    throw std::invalid_argument("included: no row takes part");
}

void require_grown_on(const Problem& problem, const Tree& tree) {
    const bool same_task = (problem.classes > 0) == (tree.task() == Task::classification);
    if (!same_task || tree.columns() != problem.table.size() ||
        (problem.classes > 0 && tree.width() != problem.classes)) {
        throw std::invalid_argument("the tree was not grown on this problem");
    }
}

}  // namespace ramify
