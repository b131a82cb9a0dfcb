#include "splits/maxcut/max_cut.hpp"

#include <stdexcept>
#include <string>

#include "splits/maxcut/goemans_williamson.hpp"
#include "splits/maxcut/pair_cut.hpp"

namespace ramify {
namespace {

void require_square(const std::vector<double>& weights, std::size_t size) {
    if (weights.size() != size * size)
        throw std::invalid_argument("weights: as many rows as columns");
}

}  // namespace

MaxCut max_cut(std::vector<double> weights, std::size_t size, std::string_view method,
               std::uint64_t seed, Interrupt* interrupt) {
    require_square(weights, size);
    const std::vector<double> support(size, 1.0);
    Balance balance(support.data(), size, size > 1 ? 1.0 : 0.0);
    PairCut cut(std::move(weights), size);
    std::uint64_t work = 0;
    if (method == "greedy") {
        greedy_cut(cut, work);
        LocalSearch(cut, balance, interrupt, work).run();
    } else if (method == "gw") {
        RoundingOptions options;
        options.seed = seed;
        goemans_williamson_cut(cut, balance, options, interrupt, work);
    } else {
        throw std::invalid_argument("unknown method '" + std::string(method) +
                                    "'; choose from greedy, gw");
    }
    return {sides_of(cut), cut_weight(cut)};
}

Relaxation max_cut_relaxation(std::vector<double> weights, std::size_t size, Interrupt* interrupt) {
    require_square(weights, size);
    return solve_relaxation(PairCut(std::move(weights), size), 1e-10, interrupt);
}

}  // namespace ramify
