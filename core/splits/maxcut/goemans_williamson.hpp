// The cut of Goemans and Williamson (1995): a random hyperplane through the origin divides the
// vectors of the relaxation. Invariant: one such cut weighs at least 0.878 of the maximum on
// average. The best of `hyperplanes` cuts is kept, and LocalSearch improves it.
#pragma once

#include "splits/maxcut/best_cut.hpp"
#include "splits/maxcut/relaxation.hpp"
#include "splits/work_limit.hpp"

namespace ramify {

struct RoundingOptions {
    std::uint64_t seed = 0;
    int hyperplanes = 64;
    double tolerance = 1e-6;  // of the relaxation
    bool local_search = true;
    std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
};

template <Cut C>
void goemans_williamson_cut(C& cut, Balance& balance, const RoundingOptions& options,
                            Interrupt* interrupt, std::uint64_t& work) {
    const std::size_t n = cut.size();
    const Relaxation relaxation =
        solve_relaxation(cut, options.tolerance, interrupt, options.most_steps / 2);
    Random random(options.seed);
    std::vector<double> normal(relaxation.rank);
    std::vector<CutSide> sides(n);
    BestCut best;
    const std::uint64_t of_hyperplane = n * (relaxation.rank + 3 * cut.steps());
    const std::uint64_t most = times_within(options.most_steps / 4, of_hyperplane);
    const int hyperplanes = static_cast<int>(
        std::min<std::uint64_t>(most, static_cast<std::uint64_t>(options.hyperplanes)));
    for (int h = 0; h < hyperplanes; ++h) {
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
    if (options.local_search)
        LocalSearch(cut, balance, interrupt, work, options.most_steps / 4).run();
}

}  // namespace ramify
