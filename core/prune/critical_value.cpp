#include "prune/critical_value.hpp"

#include <algorithm>
#include <cmath>

namespace ramify {
namespace {

// Gains that differ by rounding alone are one step of the sequence: all get the least of them.
void join_equal(std::vector<double>& key) {
    constexpr double tie = 1e-11;
    constexpr double nothing = 1e-14;  // of the largest gain
    std::vector<double> steps;
    for (const double one : key) {
        if (one != never_split) steps.push_back(one);
    }
    if (steps.empty()) return;
    std::sort(steps.begin(), steps.end());
    const double slack = nothing * std::max(std::abs(steps.front()), std::abs(steps.back()));
    std::size_t kept = 0;
    for (const double step : steps) {
        if (step > steps[kept] + std::max(tie * std::abs(steps[kept]), slack)) {
            steps[++kept] = step;
        }
    }
    steps.resize(kept + 1);
    for (double& one : key) {
        if (one != never_split) one = *(std::upper_bound(steps.begin(), steps.end(), one) - 1);
    }
}

}  // namespace

std::vector<double> CriticalValue::keys(const Tree& tree) const {
    const TreeArrays& a = tree.arrays();
    std::vector<double> key(tree.size(), never_split);
    for (std::size_t i = tree.size(); i-- > 0;) {  // children come after their parents
        if (a.forced(i)) key[i] = never_split;
        if (a.kind[i] == 0 || a.forced(i)) continue;
        key[i] = std::max(key[i], a.gain[i]);
        if (a.parent[i] < 0) continue;
        double& above = key[static_cast<std::size_t>(a.parent[i])];
        above = std::max(above, key[i]);
    }
    join_equal(key);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        if (a.forced(i)) key[i] = never_pruned;
    }
    return key;
}

}  // namespace ramify
