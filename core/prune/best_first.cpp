#include "prune/best_first.hpp"

#include <algorithm>

#include "grow/frontier.hpp"

namespace ramify {

std::vector<double> BestFirst::keys(const Tree& tree) const {
    const TreeArrays& a = tree.arrays();
    std::vector<double> key(tree.size(), never_split);
    Frontier frontier(weigh_gains_);
    const auto open = [&](std::int32_t id) {
        const auto i = static_cast<std::size_t>(id);
        if (a.kind[i] != 0) frontier.push(id, a.forced(i) ? never_pruned : a.gain[i], a.weight[i]);
    };
    open(0);
    double expansions = 0.0;
    while (!frontier.empty()) {
        const auto node = static_cast<std::size_t>(frontier.pop());
        key[node] = a.forced(node) ? never_pruned : -expansions;
        expansions += 1.0;
        for (std::int32_t b = 0; b < a.n_children[node]; ++b) open(a.first_child[node] + b);
    }
    return key;
}

double BestFirst::start(const Tree& tree) const {
    const auto& kind = tree.arrays().kind;
    return -static_cast<double>(
        std::count_if(kind.begin(), kind.end(), [](std::uint8_t k) { return k != 0; }));
}

}  // namespace ramify
