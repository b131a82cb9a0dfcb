// Prediction: the leaves that rows reach, and their answers.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "support/parallel.hpp"
#include "tree/crowd.hpp"
#include "tree/tree.hpp"

namespace ramify {
namespace {

constexpr std::size_t chunk = 4096;  // rows per unit of parallel work
constexpr std::size_t few_rows = 4;  // as fast one by one as in a crowd

template <typename Function>
void for_each_chunk(const Request& request, Function&& function) {
    const std::size_t chunks = (request.rows + chunk - 1) / chunk;
    for_each_index(chunks, request.threads, [&](std::size_t index) {
        request.interrupt.poll();
        function(index * chunk, std::min(request.rows, (index + 1) * chunk));
    });
}

// Adds the `width` numbers of `worth` to every row, in proportion to its part. `to` starts with row
// `first`. All mixing of leaves happens here, so that the same numbers decide everywhere.
void add_parts(std::span<const RowShare> parts, const double* worth, std::size_t width, double* to,
               std::size_t first) {
    for (const RowShare& part : parts) {
        double* of_row = to + (part.row - first) * width;
        for (std::size_t j = 0; j < width; ++j) of_row[j] += part.share * worth[j];
    }
}

// Leads the rows [begin, end) of one chunk to their leaves. Calls whole(row, leaf) for rows that
// are not spread, then parts(leaf, parts) for the others. Gives the numbers of the spread rows.
template <typename Whole, typename Parts>
std::vector<std::size_t> lead_chunk(const Tree& tree, const Request& request, std::size_t begin,
                                    std::size_t end, Whole&& whole, Parts&& parts) {
    Walker walker{tree, request.columns, request.unseen};
    std::array<std::int32_t, chunk> at{};
    walker.descend(begin, end, at.data());
    std::vector<std::size_t> divided;
    const auto& kind = tree.arrays().kind;
    for (std::size_t row = begin; row < end; ++row) {
        const auto node = static_cast<std::size_t>(at[row - begin]);
        if (kind[node] == 0) {
            whole(row, node);
        } else {
            divided.push_back(row);
        }
    }
    if (divided.size() < few_rows) {
        for (const std::size_t row : divided) {
            walker.spread(row, at[row - begin], [](std::int32_t) {});
            for (const Spread& part : walker.ends) {
                const RowShare alone{row, part.share};
                parts(static_cast<std::size_t>(part.node), std::span<const RowShare>(&alone, 1));
            }
        }
        return divided;
    }
    Crowd crowd(tree, request.columns, request.unseen, request.interrupt);
    crowd.lead(divided, [&](std::int32_t node, std::span<const RowShare> here) {
        const auto i = static_cast<std::size_t>(node);
        if (kind[i] == 0) parts(i, here);
    });
    return divided;
}

}  // namespace

std::size_t decide(const double* shares, std::size_t classes, std::span<const double> costs) {
    std::size_t best = 0;
    double best_value = 0.0;
    const std::size_t answers = answers_of(classes, costs);
    for (std::size_t j = 0; j < answers; ++j) {
        double value = 0.0;
        if (costs.empty()) {
            value = shares[j];
        } else {
            for (std::size_t t = 0; t < classes; ++t) value -= shares[t] * costs[t * answers + j];
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

void Tree::apply(const Request& request, std::int64_t* leaves) const {
    for_each_chunk(request, [&](std::size_t begin, std::size_t end) {
        std::vector<double> largest(end - begin, 0.0);
        lead_chunk(
            *this, request, begin, end,
            [&](std::size_t row, std::size_t leaf) {
                leaves[row] = static_cast<std::int64_t>(leaf);
            },
            [&](std::size_t leaf, std::span<const RowShare> parts) {
                const auto node = static_cast<std::int64_t>(leaf);
                for (const RowShare& part : parts) {
                    double& share = largest[part.row - begin];
                    std::int64_t& best = leaves[part.row];
                    if (part.share > share || (part.share == share && node < best)) {
                        share = part.share;
                        best = node;
                    }
                }
            });
    });
}

void Tree::predict(const Request& request, double* out) const {
    const bool classes = task_ == Task::classification;
    const std::size_t outputs = classes ? width_ : 1;
    std::fill(out, out + request.rows * outputs, 0.0);
    for_each_chunk(request, [&](std::size_t begin, std::size_t end) {
        std::vector<double> shares(width_);
        const auto of_leaf = [&](std::size_t leaf) -> const double* {
            if (!classes) return arrays_.prediction.data() + leaf;
            shares_of(leaf, shares.data());
            return shares.data();
        };
        lead_chunk(
            *this, request, begin, end,
            [&](std::size_t row, std::size_t leaf) {
                std::copy_n(of_leaf(leaf), outputs, out + row * outputs);
            },
            [&](std::size_t leaf, std::span<const RowShare> parts) {
                add_parts(parts, of_leaf(leaf), outputs, out, 0);
            });
    });
}

void Tree::accumulate(const Request& request, const double* values, Scores to) const {
    for_each_chunk(request, [&](std::size_t begin, std::size_t end) {
        const auto add = [&](std::size_t row, std::size_t leaf, double part) {
            for (std::size_t j = 0; j < to.width; ++j)
                to.at(row, j) += part * values[leaf * to.width + j];
        };
        lead_chunk(
            *this, request, begin, end,
            [&](std::size_t row, std::size_t leaf) { add(row, leaf, 1.0); },
            [&](std::size_t leaf, std::span<const RowShare> parts) {
                for (const RowShare& part : parts) add(part.row, leaf, part.share);
            });
    });
}

std::size_t Tree::label(std::size_t node, std::span<const double> costs) const {
    std::vector<double> shares(width_);
    shares_of(node, shares.data());
    return decide(shares.data(), width_, costs);
}

void Tree::predict_class(const Request& request, std::span<const double> costs,
                         std::int64_t* out) const {
    std::vector<std::int64_t> labels(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
        if (arrays_.kind[i] == 0) labels[i] = static_cast<std::int64_t>(label(i, costs));
    }
    for_each_chunk(request, [&](std::size_t begin, std::size_t end) {
        std::vector<double> shares(width_);
        std::vector<double> mixed;  // of the rows that spread
        const auto divided = lead_chunk(
            *this, request, begin, end,
            [&](std::size_t row, std::size_t leaf) { out[row] = labels[leaf]; },
            [&](std::size_t leaf, std::span<const RowShare> parts) {
                if (mixed.empty()) mixed.assign((end - begin) * width_, 0.0);
                shares_of(leaf, shares.data());
                add_parts(parts, shares.data(), width_, mixed.data(), begin);
            });
        for (const std::size_t row : divided) {
            const double* of_row = mixed.data() + (row - begin) * width_;
            out[row] = static_cast<std::int64_t>(decide(of_row, width_, costs));
        }
    });
}

void Tree::paths(const Request& request, std::vector<std::int64_t>& indptr,
                 std::vector<std::int64_t>& indices) const {
    constexpr std::size_t few = 256;  // rows whose visits are collected before sorting
    struct Visit {
        std::int32_t node;
        std::size_t begin, size;  // of its rows
    };
    std::vector<Visit> visits;
    std::vector<std::uint32_t> visitors;
    std::vector<std::size_t> rows;
    std::vector<std::int64_t> next;
    Crowd crowd(*this, request.columns, request.unseen, request.interrupt);
    indptr.assign(1, 0);
    indices.clear();
    for (std::size_t begin = 0; begin < request.rows; begin += few) {
        request.interrupt.poll();
        rows.resize(std::min(few, request.rows - begin));
        std::iota(rows.begin(), rows.end(), begin);
        visits.clear();
        visitors.clear();
        next.assign(rows.size() + 1, 0);
        crowd.lead(rows, [&](std::int32_t node, std::span<const RowShare> here) {
            visits.push_back({node, visitors.size(), here.size()});
            for (const RowShare& part : here) {
                visitors.push_back(static_cast<std::uint32_t>(part.row - begin));
                ++next[part.row - begin + 1];
            }
        });
        std::sort(visits.begin(), visits.end(),
                  [](const Visit& a, const Visit& b) { return a.node < b.node; });
        next[0] = indptr.back();
        for (std::size_t i = 1; i < next.size(); ++i) indptr.push_back(next[i] += next[i - 1]);
        indices.resize(static_cast<std::size_t>(indptr.back()));
        for (const Visit& visit : visits) {
            for (std::size_t i = visit.begin; i < visit.begin + visit.size; ++i)
                indices[static_cast<std::size_t>(next[visitors[i]]++)] = visit.node;
        }
    }
}

}  // namespace ramify
