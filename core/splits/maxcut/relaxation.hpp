// The semidefinite relaxation of the maximum cut, max sum_{i<j} w_ij (1 - v_i . v_j) / 2 over unit
// vectors (Goemans and Williamson 1995), by the mixing method: v_i <- -g_i / |g_i| in turn, with
// g_i = sum_j w_ij v_j (Wang, Chang and Kolter 2017). Invariant: the rank is above sqrt(2 n), where
// coordinate descent ends in the optimum of the relaxation; the value never falls.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "splits/maxcut/cut.hpp"
#include "splits/work_limit.hpp"
#include "support/interrupt.hpp"
#include "support/random.hpp"

namespace ramify {

struct Relaxation {
    std::size_t rank = 0;
    std::vector<double> vectors;  // vertices x rank, of length 1
    double value = 0.0;
};

inline double length_of(const double* vector, std::size_t rank) {
    double square = 0.0;
    for (std::size_t r = 0; r < rank; ++r) square += vector[r] * vector[r];
    return std::sqrt(square);
}

// Steps of a pull on one vertex, in every dimension.
template <Cut C>
std::size_t field_steps(const C& cut) {
    return cut.steps() == 1 ? cut.size() : 2 * cut.steps();
}

// Ends when the gain still expected, judging by the last sweeps, is below `tolerance` times the
// weight of all edges, or after `most` steps.
template <Cut C>
Relaxation solve_relaxation(const C& cut, double tolerance, Interrupt* interrupt,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    const std::size_t n = cut.size();
    Relaxation result;
    const std::size_t rank = static_cast<std::size_t>(std::sqrt(2.0 * static_cast<double>(n))) + 1;
    result.rank = rank;
    auto& vectors = result.vectors;
    vectors.resize(n * rank);
    Random random(0);
    for (std::size_t i = 0; i < n; ++i) {
        double* vector = vectors.data() + i * rank;
        for (std::size_t r = 0; r < rank; ++r) vector[r] = random.normal();
        const double length = length_of(vector, rank);
        for (std::size_t r = 0; r < rank; ++r) vector[r] /= length;
    }
    const std::uint64_t of_sweep = n * rank * field_steps(cut);
    const int most_sweeps =
        static_cast<int>(std::min<std::uint64_t>(20000, times_within(most, of_sweep)));
    typename C::Field field(cut, vectors, rank);
    std::vector<double> pull(rank);
    double before = 0.0;
    for (int sweep = 0; sweep < most_sweeps && cut.total() > 0.0; ++sweep) {
        if (interrupt != nullptr) interrupt->poll();
        double rise = 0.0;  // of the value
        for (std::size_t i = 0; i < n; ++i) {
            double* vector = vectors.data() + i * rank;
            field.at(i, pull.data());
            const double length = length_of(pull.data(), rank);
            if (!(length > 0.0)) continue;
            double along = 0.0;
            for (std::size_t r = 0; r < rank; ++r) along += pull[r] * vector[r];
            rise += (length + along) / 2.0;
            for (std::size_t r = 0; r < rank; ++r) {
                const double moved = -pull[r] / length;
                pull[r] = moved - vector[r];
                vector[r] = moved;
            }
            field.moved(i, pull.data());
        }
        // A geometric series from here on: its sum is rise^2 / (before - rise).
        const double accuracy = tolerance * cut.total();
        if (!(rise > 1e-15 * cut.total())) break;
        if (sweep > 2 && rise < before && rise * rise <= accuracy * (before - rise)) break;
        before = rise;
    }
    double sum = 0.0;  // of w_ij v_i . v_j, every edge twice
    for (std::size_t i = 0; i < n; ++i) {
        field.at(i, pull.data());
        for (std::size_t r = 0; r < rank; ++r) sum += pull[r] * vectors[i * rank + r];
    }
    result.value = cut.total() / 2.0 - sum / 4.0;
    return result;
}

}  // namespace ramify
