// The maximum cut of a graph that the caller gives as a matrix of weights. Invariant: weights are
// not negative, and the matrix is symmetric.
#pragma once

#include <cstdint>
#include <string_view>

#include "splits/maxcut/relaxation.hpp"

namespace ramify {

struct MaxCut {
    std::vector<CutSide> sides;  // neither side is empty if there are two vertices
    double weight = 0.0;
};

// `method` is "greedy" (GreedyCut, LocalSearch) or "gw" (Goemans and Williamson, LocalSearch).
MaxCut max_cut(std::vector<double> weights, std::size_t size, std::string_view method,
               std::uint64_t seed, Interrupt* interrupt);

// The relaxation of that graph, as exact as rounding allows.
Relaxation max_cut_relaxation(std::vector<double> weights, std::size_t size, Interrupt* interrupt);

}  // namespace ramify
