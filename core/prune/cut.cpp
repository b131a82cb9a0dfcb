#include "prune/cut.hpp"

#include <algorithm>
#include <limits>

#include "reshape/copy_node.hpp"

namespace ramify {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Numbers the expansions that stay, without gaps.
std::vector<std::int32_t> expansions(const TreeArrays& from, const std::vector<bool>& inner) {
    std::vector<std::int32_t> at(from.expansion.size(), -1);
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i])
            at[static_cast<std::size_t>(from.expansion[i])] = static_cast<std::int32_t>(i);
    }
    std::vector<std::int32_t> number(inner.size(), -1);
    std::int32_t next = 0;
    for (const std::int32_t node : at) {
        if (node >= 0) number[static_cast<std::size_t>(node)] = next++;
    }
    return number;
}

}  // namespace

Tree cut(const Tree& tree, const std::vector<std::uint8_t>& retired,
         const std::vector<double>& keys) {
    const TreeArrays& from = tree.arrays();
    const std::size_t size = tree.size();
    std::vector<bool> there(size, false);
    std::vector<bool> inner(size, false);
    std::vector<std::int32_t> number(size, -1);
    std::int32_t count = 0;
    for (std::size_t i = 0; i < size; ++i) {  // parents come before their children
        there[i] = from.parent[i] < 0 || inner[static_cast<std::size_t>(from.parent[i])];
        inner[i] = there[i] && from.kind[i] != 0 && retired[i] == 0;
        if (there[i]) number[i] = count++;
    }
    const std::vector<std::int32_t> expansion = expansions(from, inner);
    TreeArrays to;
    for (std::size_t i = 0; i < size; ++i) {
        if (!there[i]) continue;
        const bool split = inner[i];
        const std::int32_t parent = from.parent[i];
        to.parent.push_back(parent < 0 ? -1 : number[static_cast<std::size_t>(parent)]);
        to.first_child.push_back(split ? number[static_cast<std::size_t>(from.first_child[i])]
                                       : -1);
        to.n_children.push_back(split ? from.n_children[i] : 0);
        to.depth.push_back(from.depth[i]);
        to.attribute.push_back(split ? from.attribute[i] : -1);
        to.missing_to.push_back(split ? from.missing_to[i] : -1);
        to.expansion.push_back(expansion[i]);
        to.kind.push_back(split ? from.kind[i] : static_cast<std::uint8_t>(ConditionKind::leaf));
        to.rows.push_back(from.rows[i]);
        to.threshold.push_back(split ? from.threshold[i] : nothing);
        to.proportion.push_back(from.proportion[i]);
        to.weight.push_back(from.weight[i]);
        to.impurity.push_back(from.impurity[i]);
        to.gain.push_back(split ? from.gain[i] : 0.0);
        // A leaf may have been stopped by a test; a node that is cut off was not.
        to.log_p.push_back(split || from.kind[i] == 0 ? from.log_p[i] : nothing);
        to.key.push_back(!split ? nothing : keys.empty() ? from.key[i] : keys[i]);
        to.prediction.push_back(from.prediction[i]);
        if (!from.spread.empty()) to.spread.push_back(from.spread[i]);
        const auto value = from.value.begin() + static_cast<std::ptrdiff_t>(i * tree.width());
        to.value.insert(to.value.end(), value, value + static_cast<std::ptrdiff_t>(tree.width()));
        if (split) {
            append(to.levels, from.levels, i);
            append_competitors(to, from, i);
        } else {
            to.levels.start.push_back(static_cast<std::int64_t>(to.levels.code.size()));
        }
        to.competitor_start.push_back(static_cast<std::int64_t>(to.competitor_attribute.size()));
    }
    return Tree(tree.task(), tree.columns(), tree.width(), std::move(to));
}

}  // namespace ramify
