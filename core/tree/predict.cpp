// Prediction: the leaves that rows reach, and what these say.
#include <algorithm>
#include <array>
#include <cmath>

#include "support/parallel.hpp"
#include "tree/tree.hpp"
#include "tree/walker.hpp"

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

std::size_t decide(const double* weights, std::size_t classes, std::span<const double> costs) {
    std::size_t best = 0;
    double best_value = 0.0;
    for (std::size_t j = 0; j < classes; ++j) {
        double value = weights[j];
        if (!costs.empty()) {
            value = 0.0;
            for (std::size_t t = 0; t < classes; ++t) value -= weights[t] * costs[t * classes + j];
        }
        if (j == 0 || value > best_value) {
            best = j;
            best_value = value;
        }
    }
    return best;
}

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

template <typename Add>
void Tree::for_each_leaf(std::span<const PredictColumn> columns, std::size_t rows, Unseen unseen,
                         int threads, Add&& add) const {
    for_each_chunk(rows, threads, [&](std::size_t begin, std::size_t end) {
        Walker walker{*this, columns, unseen};
        std::array<std::int32_t, chunk> at{};
        walker.descend(begin, end, at.data());
        for (std::size_t row = begin; row < end; ++row) {
            const auto node = static_cast<std::size_t>(at[row - begin]);
            if (arrays_.kind[node] == 0) {
                add(row, node, 1.0);
                continue;
            }
            walker.spread(row, at[row - begin], [](std::int32_t) {});
            for (const Spread& leaf : walker.ends)
                add(row, static_cast<std::size_t>(leaf.node), leaf.share);
        }
    });
}

void Tree::predict(std::span<const PredictColumn> columns, std::size_t rows, Unseen unseen,
                   int threads, double* out) const {
    const bool classes = task_ == Task::classification;
    const std::size_t outputs = classes ? width_ : 1;
    std::fill(out, out + rows * outputs, 0.0);
    for_each_leaf(columns, rows, unseen, threads,
                  [&](std::size_t row, std::size_t leaf, double part) {
                      double* to = out + row * outputs;
                      if (!classes) {
                          *to += part * arrays_.prediction[leaf];
                          return;
                      }
                      for (std::size_t j = 0; j < width_; ++j) to[j] += part * share(leaf, j);
                  });
}

void Tree::accumulate(std::span<const PredictColumn> columns, std::size_t rows, Unseen unseen,
                      int threads, const double* values, Scores to) const {
    for_each_leaf(columns, rows, unseen, threads,
                  [&](std::size_t row, std::size_t leaf, double part) {
                      for (std::size_t j = 0; j < to.width; ++j)
                          to.at(row, j) += part * values[leaf * to.width + j];
                  });
}

void Tree::predict_class(std::span<const PredictColumn> columns, std::size_t rows, Unseen unseen,
                         int threads, std::span<const double> costs, std::int64_t* out) const {
    const auto decided = [&](const double* weights) {
        return static_cast<std::int64_t>(decide(weights, width_, costs));
    };
    std::vector<std::int64_t> label(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
        if (arrays_.kind[i] == 0) label[i] = decided(arrays_.value.data() + i * width_);
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
                for (std::size_t j = 0; j < width_; ++j) {
                    shares[j] += leaf.share * share(static_cast<std::size_t>(leaf.node), j);
                }
            }
            out[row] = decided(shares.data());
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
