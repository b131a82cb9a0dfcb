// Leads rows down a tree, several in step so that their cache misses overlap. A row whose branch is
// not known spreads over all branches, in proportion to their training weights. Invariant: `spread`
// visits nodes in depth-first order, first branches first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace ramify {

// A part of a row at a node.
struct Spread {
    std::int32_t node;
    double share;
};

struct Walker {
    const Tree& tree;
    std::span<const PredictColumn> columns;
    Unseen unseen;
    std::vector<Spread> stack{};
    std::vector<Spread> ends{};

    // Whether an internal node compares a number with its threshold.
    bool asks_number(std::size_t node) const {
        const auto attribute = static_cast<std::size_t>(tree.arrays_.attribute[node]);
        return tree.arrays_.kind[node] == 1 && columns[attribute].numeric();
    }

    // The branch that a row takes at an internal node, or -1 if it spreads.
    std::int32_t branch(std::size_t node, std::size_t row) const {
        const TreeArrays& a = tree.arrays_;
        const PredictColumn& column = columns[static_cast<std::size_t>(a.attribute[node])];
        if (column.numeric()) {
            const double value = column.number(row);
            if (std::isnan(value)) return a.missing_to[node];
            if (a.kind[node] == 1) return value <= a.threshold[node] ? 0 : 1;
            return a.missing_to[node];
        }
        const std::int32_t code = column.codes[static_cast<std::ptrdiff_t>(row) * column.stride];
        if (code >= 0) {
            if (a.kind[node] == 1) return static_cast<double>(code) <= a.threshold[node] ? 0 : 1;
            const auto* begin = a.levels.code.data() + a.levels.start[node];
            const auto* end = a.levels.code.data() + a.levels.start[node + 1];
            const auto* found = std::lower_bound(begin, end, code);
            if (found != end && *found == code) {
                return a.levels.branch[static_cast<std::size_t>(found - a.levels.code.data())];
            }
        }
        if (code == -1 || unseen != Unseen::majority) return a.missing_to[node];
        return tree.majority_[node];
    }

    // Writes the leaves of a row with their shares to `ends`. `visit` is called for every node on
    // the way.
    template <typename Visit>
    void spread(std::size_t row, std::int32_t from, Visit&& visit) {
        const TreeArrays& a = tree.arrays_;
        ends.clear();
        stack.assign(1, {from, 1.0});
        while (!stack.empty()) {
            const Spread at = stack.back();
            stack.pop_back();
            visit(at.node);
            const auto node = static_cast<std::size_t>(at.node);
            if (a.kind[node] == 0) {
                ends.push_back(at);
                continue;
            }
            const std::int32_t taken = branch(node, row);
            if (taken >= 0) {
                stack.push_back({a.first_child[node] + taken, at.share});
                continue;
            }
            for (std::int32_t b = a.n_children[node] - 1; b >= 0; --b) {
                const std::int32_t child = a.first_child[node] + b;
                const double share = at.share * a.proportion[static_cast<std::size_t>(child)];
                if (share > 0.0) stack.push_back({child, share});
            }
        }
    }

    // The leaf that a row reaches, or the node where it would spread.
    std::int32_t descend(std::size_t row) const {
        std::int32_t node = 0;
        while (tree.arrays_.kind[static_cast<std::size_t>(node)] != 0) {
            const std::int32_t taken = branch(static_cast<std::size_t>(node), row);
            if (taken < 0) return node;
            node = tree.arrays_.first_child[static_cast<std::size_t>(node)] + taken;
        }
        return node;
    }

    // descend() for rows [begin, end). Sixteen rows walk in step if the tree has thresholds only.
    void descend(std::size_t begin, std::size_t end, std::int32_t* out) const {
        std::size_t row = begin;
        if (tree.thresholds_only_ && all_of<double>()) {
            row = descend_in_step<double>(begin, end, out);
        } else if (tree.thresholds_only_ && all_of<float>()) {
            row = descend_in_step<float>(begin, end, out);
        }
        for (; row < end; ++row) out[row - begin] = descend(row);
    }

    // Whether all columns are numbers of one type.
    template <typename T>
    bool all_of() const {
        return std::all_of(columns.begin(), columns.end(),
                           [](const PredictColumn& c) { return c.numbers<T>() != nullptr; });
    }
    // Gives the first row that is left over, fewer than sixteen before the end.
    template <typename T>
    std::size_t descend_in_step(std::size_t begin, std::size_t end, std::int32_t* out) const {
        constexpr std::size_t lanes = 16;
        std::size_t row = begin;
        for (; row + lanes <= end; row += lanes) {
            std::array<std::int32_t, lanes> node{};
            bool moving = true;
            bool missing = false;
            while (moving) {
                moving = false;
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    const auto& step = tree.steps_[static_cast<std::size_t>(node[lane])];
                    const PredictColumn& column = columns[static_cast<std::size_t>(step.attribute)];
                    const double value =
                        column
                            .numbers<T>()[static_cast<std::ptrdiff_t>(row + lane) * column.stride];
                    const bool waits = step.first_child == node[lane];
                    missing |= !waits && std::isnan(value);
                    moving |= !waits;
                    // The threshold of a leaf is infinite, so only NaN could move a waiting
                    // row.
                    node[lane] = step.first_child + (!waits && !(value <= step.threshold));
                }
                if (missing) break;
            }
            if (missing) {
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    out[row - begin + lane] = descend(row + lane);
                }
            } else {
                std::copy(node.begin(), node.end(), out + (row - begin));
            }
        }
        return row;
    }
};

}  // namespace ramify
