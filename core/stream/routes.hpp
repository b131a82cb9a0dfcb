// Where the rows of a batch are in the part of the tree that is grown already. Invariant: a row
// goes where growth in memory would send it (grow/route.hpp); the parts of a divided row add up to
// it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "targets/samples.hpp"
#include "tree/tree.hpp"

namespace ramify {

// A column of a batch: doubles, floats (NaN: missing) or codes (negative: missing).
struct StreamColumn {
    const double* doubles = nullptr;
    const float* floats = nullptr;
    const std::int32_t* codes = nullptr;

    double value(std::size_t row) const {
        return doubles != nullptr ? doubles[row] : static_cast<double>(floats[row]);
    }
};

struct RouteNode {
    // In place of the branch of a level: its rows go where those without a value go.
    static constexpr std::int32_t as_missing = -2;

    ConditionKind kind = ConditionKind::leaf;
    std::int32_t attribute = -1;
    double threshold = 0.0;
    std::int32_t missing_to = -1;                 // -1: such rows are divided
    std::vector<std::int32_t> branch_of_level{};  // unless it is a threshold
    std::vector<std::int32_t> children{};
    std::vector<double> known_weight{};  // of the branches
    std::int32_t slot = -1;              // of a leaf: what is wanted of its rows
};

class Routes {
  public:
    // `grain_rows`: see Samples::set_grain; 0: parts are not rounded.
    Routes(std::vector<RouteNode> nodes, std::size_t grain_rows, double least_fraction);

    std::size_t size() const { return nodes_.size(); }
    const RouteNode& operator[](std::size_t node) const { return nodes_[node]; }

    // Calls visit(slot, part) for every leaf that has a slot and a part of the row. Throws
    // std::invalid_argument if the row has a level that no row had when the node was counted.
    template <typename Visit>
    void route(std::span<const StreamColumn> columns, std::size_t row, Visit&& visit) const {
        walk(columns, row, 0, 1.0, visit);
    }

  private:
    template <typename Visit>
    void walk(std::span<const StreamColumn> columns, std::size_t row, std::size_t node, double part,
              Visit& visit) const {
        for (;;) {
            const RouteNode& at = nodes_[node];
            if (at.kind == ConditionKind::leaf) {
                if (at.slot >= 0) visit(at.slot, part);
                return;
            }
            std::int32_t branch =
                branch_of(at, columns[static_cast<std::size_t>(at.attribute)], row);
            if (branch < 0) branch = at.missing_to;
            if (branch < 0 && part < least_fraction_) branch = heaviest_[node];
            if (branch < 0) {
                divide(columns, row, node, part, visit);
                return;
            }
            node = static_cast<std::size_t>(at.children[static_cast<std::size_t>(branch)]);
        }
    }
    template <typename Visit>
    void divide(std::span<const StreamColumn> columns, std::size_t row, std::size_t node,
                double part, Visit& visit) const {
        const RouteNode& at = nodes_[node];
        double known = 0.0;
        for (const double weight : at.known_weight) known += weight;
        double rest = part;
        for (std::size_t b = 0; b < at.children.size(); ++b) {
            const double share = at.known_weight[b] / known;
            if (!(share > 0.0)) continue;  // no row with a value went there
            const double own = rounding_.rounded(part * share, rest, at.children.size() - 1 - b);
            rest -= own;
            walk(columns, row, static_cast<std::size_t>(at.children[b]), own, visit);
        }
    }
    // -1: the value is missing.
    static std::int32_t branch_of(const RouteNode& at, const StreamColumn& column,
                                  std::size_t row) {
        if (column.codes == nullptr) {
            const double value = column.value(row);
            return std::isnan(value) ? -1 : value <= at.threshold ? 0 : 1;
        }
        const std::int32_t code = column.codes[row];
        if (code < 0) return -1;
        if (at.kind == ConditionKind::threshold)
            return static_cast<double>(code) <= at.threshold ? 0 : 1;
        const auto place = static_cast<std::size_t>(code);
        const std::int32_t branch =
            place < at.branch_of_level.size() ? at.branch_of_level[place] : -1;
        if (branch == RouteNode::as_missing) return -1;
        if (branch < 0) refuse(at.attribute, code);
        return branch;
    }
    [[noreturn]] static void refuse(std::int32_t attribute, std::int32_t code);

    std::vector<RouteNode> nodes_;
    std::vector<std::int32_t> heaviest_;
    Samples rounding_;
    double least_fraction_;
};

}  // namespace ramify
