// How many rows a problem has if they weigh the same. Invariant: rows that take no part are not
// looked at.
#pragma once

#include <cstddef>

#include "problem/problem.hpp"

namespace ramify {

// The rows that are counted for the grain of parts (see Samples::set_grain): none if weights
// differ.
inline std::size_t rows_of_equal_weight(const Problem& problem) {
    std::size_t present = 0;
    double first = 1.0;
    for (std::size_t row = 0; row < problem.table.rows(); ++row) {
        if (!problem.includes(row)) continue;
        const double weight = problem.weights.empty() ? 1.0 : problem.weights[row];
        if (present++ == 0) first = weight;
        if (weight != first) return 0;
    }
    return present;
}

}  // namespace ramify
