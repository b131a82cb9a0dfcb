// Prediction: rows walk down the tree, several in step so that their cache misses overlap; a row
// whose branch is not known spreads over several, in proportion to their training weights.
#include <algorithm>
#include <array>
#include <cmath>

#include "support/parallel.hpp"
#include "tree/tree.hpp"

namespace ramify {
namespace {

constexpr std::size_t chunk = 4096;  // rows per unit of parallel work

template <typename Function>
void for_each_chunk(std::size_t rows, int threads, Function&& function) {
    const std::size_t chunks = (rows + chunk - 1) / chunk;
    for_each_index(chunks, threads, [&](std::size_t index) {
        function(index * chunk, std::min(rows, (index + 1) * chunk));
    });
}

}  // namespace

Tree::Tree(Task task, std::size_t columns, std::size_t width, TreeArrays arrays)
    : task_(task), columns_(columns), width_(width), arrays_(std::move(arrays)) {
    validate();
    prepare();
}

void Tree::prepare() {
    const TreeArrays& a = arrays_;
    steps_.resize(size());
    majority_.assign(size(), -1);
    for (std::size_t i = 0; i < size(); ++i) {
        if (a.kind[i] == 0) {
            steps_[i] = {INFINITY, 0, static_cast<std::int32_t>(i)};
            continue;
        }
        if (a.kind[i] != 1) thresholds_only_ = false;
        steps_[i] = {a.threshold[i], a.attribute[i], a.first_child[i]};
        const auto first = static_cast<std::size_t>(a.first_child[i]);
        std::int32_t best = 0;
        for (std::int32_t b = 1; b < a.n_children[i]; ++b) {
            if (a.proportion[first + static_cast<std::size_t>(b)] >
                a.proportion[first + static_cast<std::size_t>(best)]) {
                best = b;
            }
        }
        majority_[i] = best;
    }
}

struct Tree::Walker {
    const Tree& tree;
    std::span<const PredictColumn> columns;
    Unseen unseen;
    std::vector<Spread> stack{};
    std::vector<Spread> ends{};

    // The branch a row takes at an internal node, or -1 if it spreads.
    std::int32_t branch(std::size_t node, std::size_t row) const {
        const TreeArrays& a = tree.arrays_;
        const PredictColumn& column = columns[static_cast<std::size_t>(a.attribute[node])];
        const auto at = static_cast<std::ptrdiff_t>(row) * column.stride;
        std::int32_t code = -1;
        if (column.values != nullptr) {
            const double value = column.values[at];
            if (std::isnan(value)) return a.missing_to[node];
            if (a.kind[node] == 1) return value <= a.threshold[node] ? 0 : 1;
            return a.missing_to[node];
        }
        code = column.codes[at];
        if (code >= 0) {
            if (a.kind[node] == 1) return static_cast<double>(code) <= a.threshold[node] ? 0 : 1;
            const auto* begin = a.levels.code.data() + a.levels.start[node];
            const auto* end = a.levels.code.data() + a.levels.start[node + 1];
            const auto* found = std::lower_bound(begin, end, code);
            if (found != end && *found == code) {
                return a.levels.branch[static_cast<std::size_t>(found - a.levels.code.data())];
            }
        }
        if (code == -1 || unseen == Unseen::missing) return a.missing_to[node];
        return tree.majority_[node];
    }

    // The leaves of a row with their shares, into `ends`; `visit` sees every node on the way.
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

    // Where a row is when it reaches a leaf, or the node at which it would spread.
    std::int32_t descend(std::size_t row) const {
        std::int32_t node = 0;
        while (tree.arrays_.kind[static_cast<std::size_t>(node)] != 0) {
            const std::int32_t taken = branch(static_cast<std::size_t>(node), row);
            if (taken < 0) return node;
            node = tree.arrays_.first_child[static_cast<std::size_t>(node)] + taken;
        }
        return node;
    }

    // descend() for rows [begin, end): sixteen rows walk in step while the tree has thresholds
    // only.
    void descend(std::size_t begin, std::size_t end, std::int32_t* out) const {
        constexpr std::size_t lanes = 16;
        std::size_t row = begin;
        const bool values = std::all_of(columns.begin(), columns.end(),
                                        [](const PredictColumn& c) { return c.values != nullptr; });
        if (tree.thresholds_only_ && values) {
            for (; row + lanes <= end; row += lanes) {
                std::array<std::int32_t, lanes> node{};
                bool moving = true;
                bool missing = false;
                while (moving) {
                    moving = false;
                    for (std::size_t lane = 0; lane < lanes; ++lane) {
                        const Step& step = tree.steps_[static_cast<std::size_t>(node[lane])];
                        const PredictColumn& column =
                            columns[static_cast<std::size_t>(step.attribute)];
                        const double value =
                            column.values[static_cast<std::ptrdiff_t>(row + lane) * column.stride];
                        const bool waits = step.first_child == node[lane];
                        missing |= !waits && std::isnan(value);
                        moving |= !waits;
                        // A leaf's threshold is infinite, so only NaN could push a waiting row on.
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
        }
        for (; row < end; ++row) out[row - begin] = descend(row);
    }
};

void Tree::apply(std::span<const PredictColumn> columns, std::size_t rows, Unseen unseen,
                 int threads, std::int64_t* leaves) const {
    for_each_chunk(rows, threads, [&](std::size_t begin, std::size_t end) {
        Walker walker{*this, columns, unseen};
        std::array<std::int32_t, chunk> at{};
        walker.descend(begin, end, at.data());
        for (std::size_t row = begin; row < end; ++row) {
            std::int32_t node = at[row - begin];
            if (arrays_.kind[static_cast<std::size_t>(node)] != 0) {
                walker.spread(row, node, [](std::int32_t) {});
                const auto largest = std::max_element(
                    walker.ends.begin(), walker.ends.end(), [](const Spread& a, const Spread& b) {
                        return a.share < b.share || (a.share == b.share && a.node > b.node);
                    });
                node = largest->node;
            }
            leaves[row] = node;
        }
    });
}

void Tree::predict(std::span<const PredictColumn> columns, std::size_t rows, Unseen unseen,
                   int threads, double* out) const {
    const bool classes = task_ == Task::classification;
    const std::size_t outputs = classes ? width_ : 1;
    const auto add = [&](std::size_t leaf, double share, double* to) {
        if (!classes) {
            *to += share * arrays_.prediction[leaf];
            return;
        }
        const double* value = arrays_.value.data() + leaf * width_;
        const double weight = arrays_.weight[leaf];
        for (std::size_t j = 0; j < width_; ++j) {
            to[j] += weight > 0.0 ? share * value[j] / weight : share / static_cast<double>(width_);
        }
    };
    for_each_chunk(rows, threads, [&](std::size_t begin, std::size_t end) {
        Walker walker{*this, columns, unseen};
        std::array<std::int32_t, chunk> at{};
        walker.descend(begin, end, at.data());
        for (std::size_t row = begin; row < end; ++row) {
            double* to = out + row * outputs;
            std::fill(to, to + outputs, 0.0);
            const auto node = static_cast<std::size_t>(at[row - begin]);
            if (arrays_.kind[node] == 0) {
                add(node, 1.0, to);
                continue;
            }
            walker.spread(row, at[row - begin], [](std::int32_t) {});
            for (const Spread& leaf : walker.ends)
                add(static_cast<std::size_t>(leaf.node), leaf.share, to);
        }
    });
}

void Tree::predict_class(std::span<const PredictColumn> columns, std::size_t rows, Unseen unseen,
                         int threads, std::span<const double> costs, std::int64_t* out) const {
    const auto decide = [&](const double* shares) {
        std::size_t best = 0;
        double best_value = 0.0;
        for (std::size_t j = 0; j < width_; ++j) {
            double value = shares[j];
            if (!costs.empty()) {
                value = 0.0;
                for (std::size_t t = 0; t < width_; ++t) value -= shares[t] * costs[t * width_ + j];
            }
            if (j == 0 || value > best_value) {
                best = j;
                best_value = value;
            }
        }
        return static_cast<std::int64_t>(best);
    };
    std::vector<std::int64_t> label(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
        if (arrays_.kind[i] == 0) label[i] = decide(arrays_.value.data() + i * width_);
    }
    for_each_chunk(rows, threads, [&](std::size_t begin, std::size_t end) {
        Walker walker{*this, columns, unseen};
        std::array<std::int32_t, chunk> at{};
        walker.descend(begin, end, at.data());
        std::vector<double> shares(width_);
        for (std::size_t row = begin; row < end; ++row) {
            const auto node = static_cast<std::size_t>(at[row - begin]);
            if (arrays_.kind[node] == 0) {
                out[row] = label[node];
                continue;
            }
            walker.spread(row, at[row - begin], [](std::int32_t) {});
            std::fill(shares.begin(), shares.end(), 0.0);
            for (const Spread& leaf : walker.ends) {
                const auto at_leaf = static_cast<std::size_t>(leaf.node);
                const double weight = arrays_.weight[at_leaf];
                for (std::size_t j = 0; j < width_ && weight > 0.0; ++j) {
                    shares[j] += leaf.share * arrays_.value[at_leaf * width_ + j] / weight;
                }
            }
            out[row] = decide(shares.data());
        }
    });
}

void Tree::paths(std::span<const PredictColumn> columns, std::size_t rows, Unseen unseen,
                 std::vector<std::int64_t>& indptr, std::vector<std::int64_t>& indices) const {
    Walker walker{*this, columns, unseen};
    indptr.assign(1, 0);
    indices.clear();
    for (std::size_t row = 0; row < rows; ++row) {
        walker.spread(row, 0, [&](std::int32_t node) { indices.push_back(node); });
        std::sort(indices.begin() + indptr.back(), indices.end());
        indptr.push_back(static_cast<std::int64_t>(indices.size()));
    }
}

}  // namespace ramify
