// Temporary: plain recursion for both searches, replaced by binary/ and continuous/.
#include "optimal/leaf_loss.hpp"
#include "optimal/searches.hpp"

namespace ramify::optimal {
namespace {

struct Naive {
    const Problem& problem;
    const Limits& limits;
    Monitor& monitor;
    LeafLoss loss{problem};

    double best(const std::vector<std::size_t>& rows, int depth, std::int64_t leaves,
                NodeList& nodes) {
        monitor.poll();
        std::vector<double> sums(loss.width(), 0.0);
        for (auto row : rows) loss.add(row, sums.data());
        double value = loss(sums.data()) + limits.sparsity;
        nodes = {Node{}};
        if (depth == 0 || leaves < 2) return value;
        for (std::size_t c = 0; c < problem.columns.size(); ++c) {
            for (std::int32_t code = 0; code + 1 < problem.columns[c].values; ++code) {
                std::vector<std::size_t> left, right;
                for (auto row : rows)
                    (problem.columns[c].codes[row] <= code ? left : right).push_back(row);
                if (static_cast<std::int64_t>(std::min(left.size(), right.size())) <
                    limits.min_samples_leaf)
                    continue;
                const auto half = std::int64_t{1} << std::min(depth - 1, 40);
                for (std::int64_t l = 1; l < leaves && l <= half; ++l) {
                    if (leaves - l > half && l < half) continue;
                    NodeList a, b;
                    const double x = best(left, depth - 1, l, a);
                    if (x >= value) continue;
                    const double y = best(right, depth - 1, std::min(half, leaves - l), b);
                    if (x + y >= value) continue;
                    value = x + y;
                    nodes = {Node{static_cast<std::int32_t>(c), code, 1,
                                  static_cast<std::int32_t>(1 + a.size())}};
                    for (int side = 0; side < 2; ++side) {
                        const auto base = static_cast<std::int32_t>(nodes.size());
                        for (Node n : side ? b : a) {
                            if (n.column >= 0) n.left += base, n.right += base;
                            nodes.push_back(n);
                        }
                    }
                }
            }
        }
        return value;
    }
};

Result naive(const Problem& problem, const Limits& limits, Monitor& monitor) {
    Result result;
    std::vector<std::size_t> rows(problem.rows);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    result.nodes = {Node{}};
    Naive search{problem, limits, monitor};
    try {
        const double value =
            search.best(rows, limits.max_depth,
                        std::min<std::int64_t>(limits.max_leaves,
                                               std::int64_t{1} << std::min(limits.max_depth, 40)),
                        result.nodes);
        monitor.improve(value);
        monitor.bound(value);
        result.proven = true;
    } catch (const Halt&) {
        result.nodes = {Node{}};
    }
    return result;
}

}  // namespace

Result solve_binary(const Problem& problem, const Limits& limits, const Switches&,
                    Monitor& monitor) {
    return naive(problem, limits, monitor);
}

}  // namespace ramify::optimal
