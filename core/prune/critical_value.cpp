#include <algorithm>

#include "prune/retirement.hpp"

namespace ramify {

std::vector<double> CriticalValue::keys(const Tree& tree) const {
    const TreeArrays& a = tree.arrays();
    std::vector<double> key(tree.size(), never_split);
    for (std::size_t i = tree.size(); i-- > 0;) {  // children come after their parents
        if (a.kind[i] == 0) continue;
        key[i] = std::max(key[i], a.gain[i]);
        if (a.parent[i] < 0) continue;
        double& above = key[static_cast<std::size_t>(a.parent[i])];
        above = std::max(above, key[i]);
    }
    return key;
}

}  // namespace ramify
