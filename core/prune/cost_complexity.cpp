#include "prune/cost_complexity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <stdexcept>
#include <utility>

#include "prune/risk.hpp"

namespace ramify {
namespace {

// Prices that differ by rounding alone are one step of the sequence. A branch that saves no more
// than rounding saves nothing.
constexpr double tie = 1e-11;
constexpr double nothing = 1e-12;  // of the risk of its root

struct Link {
    double price;
    std::int32_t node;
    std::uint32_t version;  // of the node's branch when the price was computed
    bool operator>(const Link& other) const {
        if (price != other.price) return price > other.price;
        return node > other.node;
    }
};

}  // namespace

std::vector<double> CostComplexity::keys(const Tree& tree) const {
    const TreeArrays& a = tree.arrays();
    const std::size_t size = tree.size();
    const std::vector<double> risk =
        node_risk(tree, impurity_ ? Risk::impurity : Risk::error, costs_);
    if (!std::all_of(risk.begin(), risk.end(), [](double r) { return std::isfinite(r); })) {
        throw std::invalid_argument(
            "risk='impurity': the criterion gives nodes no impurity; choose risk='error'");
    }
    std::vector<double> key(size, never_split);
    std::vector<double> branch_risk = risk;
    std::vector<std::int64_t> leaves(size, 1);
    std::vector<std::uint32_t> version(size, 0);
    const auto inner = [&](std::size_t i) { return a.kind[i] != 0; };
    for (std::size_t i = size; i-- > 0;) {  // children come after their parents
        if (!inner(i)) continue;
        branch_risk[i] = 0.0;
        leaves[i] = 0;
        for (std::int32_t b = 0; b < a.n_children[i]; ++b) {
            const auto child = static_cast<std::size_t>(a.first_child[i] + b);
            branch_risk[i] += branch_risk[child];
            leaves[i] += leaves[child];
        }
    }
    std::priority_queue<Link, std::vector<Link>, std::greater<>> links;
    const auto push = [&](std::size_t i) {
        const double saved = risk[i] - branch_risk[i];
        const double price =
            saved > nothing * risk[i]
                ? saved / static_cast<double>(std::max<std::int64_t>(leaves[i] - 1, 1))
                : 0.0;
        links.push({price, static_cast<std::int32_t>(i), version[i]});
    };
    for (std::size_t i = 0; i < size; ++i) {
        if (a.forced(i)) {
            key[i] = never_pruned;
        } else if (inner(i)) {
            push(i);
        }
    }
    const double least = 1e-3 * risk[0] / static_cast<double>(size);
    double alpha = 0.0;
    std::vector<std::size_t> stack;
    while (!links.empty()) {
        const Link link = links.top();
        links.pop();
        const auto node = static_cast<std::size_t>(link.node);
        if (key[node] != never_split) continue;
        // Links below it have been cut since. That can only have raised its price.
        if (link.version != version[node]) {
            push(node);
            continue;
        }
        if (link.price > alpha + tie * std::max(alpha, least)) alpha = link.price;
        // The node retires with the rest of its branch.
        stack.assign(1, node);
        while (!stack.empty()) {
            const std::size_t at = stack.back();
            stack.pop_back();
            key[at] = alpha;
            for (std::int32_t b = 0; b < a.n_children[at]; ++b) {
                const auto child = static_cast<std::size_t>(a.first_child[at] + b);
                if (inner(child) && key[child] == never_split) stack.push_back(child);
            }
        }
        const double more_risk = risk[node] - branch_risk[node];
        const std::int64_t fewer_leaves = leaves[node] - 1;
        for (std::int32_t up = a.parent[node]; up >= 0;
             up = a.parent[static_cast<std::size_t>(up)]) {
            const auto i = static_cast<std::size_t>(up);
            branch_risk[i] += more_risk;
            leaves[i] -= fewer_leaves;
            ++version[i];
        }
    }
    return key;
}

}  // namespace ramify
