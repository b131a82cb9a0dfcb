// Goemans and Williamson (1995): vertices on either side of a random hyperplane through the
// origin of the relaxation's vectors; one such cut weighs 0.878 of the maximum on average. The best
// of `hyperplanes` is kept, and improved by LocalSearch.
#pragma once

#include "splits/maxcut/best_cut.hpp"
#include "splits/maxcut/relaxation.hpp"

namespace ramify {

struct RoundingOptions {
    std::uint64_t seed = 0;
    int hyperplanes = 64;
    double tolerance = 1e-6;  // of the relaxation
    bool local_search = true;
};

template <Cut C>
void goemans_williamson_cut(C& cut, Balance& balance, const RoundingOptions& options,
                            Interrupt* interrupt, std::uint64_t& work) {
    const std::size_t n = cut.size();
    const Relaxation relaxation = solve_relaxation(cut, options.tolerance, interrupt);
    Random random(options.seed);
    std::vector<double> normal(relaxation.rank);
    std::vector<CutSide> sides(n);
    BestCut best;
    for (int h = 0; h < options.hyperplanes; ++h) {
        if (interrupt != nullptr) interrupt->poll();
        for (double& entry : normal) entry = random.normal();
        for (std::size_t i = 0; i < n; ++i) {
            const double* vector = relaxation.vectors.data() + i * relaxation.rank;
            double along = 0.0;
            for (std::size_t r = 0; r < relaxation.rank; ++r) along += normal[r] * vector[r];
            sides[i] = along < 0.0;
        }
        place_all(cut, sides);
        ++work;
        best.offer(cut, balance);
    }
    best.take(cut, balance);
    if (options.local_search) LocalSearch(cut, balance, interrupt, work).run();
}

}  // namespace ramify
