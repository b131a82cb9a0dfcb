// The result of the search of one node. Invariant: `lower` bounds the objective of every tree of
// the node that keeps the limits; if `exact`, `tree` attains it. A search with a budget ends exact
// and below the budget, or with a bound that is no lower than the budget.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "optimal/problem.hpp"

namespace ramify::optimal::continuous {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Outcome {
    double lower = 0.0;
    bool exact = false;
    NodeList tree;
    std::vector<double> by_column;  // bounds of the trees that split by a column first
};

// What is known of a node before its search.
struct Hint {
    const std::vector<double>* by_column = nullptr;
    const NodeList* tree = nullptr;  // maybe a good one
};

inline std::int64_t leaves_of(const NodeList& tree) {
    return std::count_if(tree.begin(), tree.end(), [](const Node& n) { return n.column < 0; });
}

inline NodeList join(std::int32_t column, std::int32_t code, const NodeList& left,
                     const NodeList& right) {
    NodeList nodes{Node{column, code, 1, static_cast<std::int32_t>(1 + left.size())}};
    nodes.reserve(1 + left.size() + right.size());
    for (const NodeList* side : {&left, &right}) {
        const auto base = static_cast<std::int32_t>(nodes.size());
        for (Node node : *side) {
            if (node.column >= 0) node.left += base, node.right += base;
            nodes.push_back(node);
        }
    }
    return nodes;
}

}  // namespace ramify::optimal::continuous
