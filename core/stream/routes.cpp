#include "stream/routes.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ramify {

Routes::Routes(std::vector<RouteNode> nodes, std::size_t grain_rows, double least_fraction)
    : nodes_(std::move(nodes)), least_fraction_(least_fraction) {
    if (grain_rows > 0) rounding_.set_grain(grain_rows);
    for (const RouteNode& node : nodes_) {
        const auto& weights = node.known_weight;
        heaviest_.push_back(static_cast<std::int32_t>(
            std::max_element(weights.begin(), weights.end()) - weights.begin()));
    }
}

void Routes::refuse(std::int32_t attribute, std::int32_t code) {
    throw std::invalid_argument("column " + std::to_string(attribute) +
                                " (counted from 0) has the level " + std::to_string(code) +
                                " (counted from 0) in rows that did not have it in an earlier "
                                "scan: the data changed between scans");
}

}  // namespace ramify
