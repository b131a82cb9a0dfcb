#include "optimal/solve.hpp"

#include <algorithm>
#include <cmath>

#include "optimal/extent.hpp"
#include "optimal/leaf_loss.hpp"
#include "optimal/searches.hpp"

namespace ramify::optimal {
namespace {

bool all_binary(const OptimalProblem& problem) {
    return std::all_of(problem.columns.begin(), problem.columns.end(),
                       [](const SearchColumn& column) { return column.values <= 2; });
}

}  // namespace

std::unique_ptr<Solver> make_solver(const OptimalProblem& problem, const Limits& limits,
                                    const Switches& switches, Monitor& monitor) {
    const bool binary = all_binary(problem) && problem.regrets.empty();
    return binary ? make_binary_solver(problem, limits, switches, monitor)
                  : make_continuous_solver(problem, limits, switches, monitor);
}

Limits tightened(const OptimalProblem& problem, Limits limits) {
    limits.min_samples_leaf = std::max<std::int64_t>(1, limits.min_samples_leaf);
    const auto rows = static_cast<std::int64_t>(problem.rows);
    const std::int64_t fit = std::max<std::int64_t>(1, rows / limits.min_samples_leaf);
    limits.max_leaves = std::max<std::int64_t>(1, std::min(limits.max_leaves, fit));
    limits.max_depth = static_cast<int>(
        std::max<std::int64_t>(0, std::min<std::int64_t>(limits.max_depth, limits.max_leaves - 1)));
    if (limits.max_depth > deepest) {  // no path asks a question twice
        std::int64_t questions = 0;
        for (const SearchColumn& column : problem.columns)
            questions += std::max(0, column.values - 1);
        limits.max_depth = static_cast<int>(std::min<std::int64_t>(limits.max_depth, questions));
    }
    if (limits.upper_bound < std::numeric_limits<double>::infinity()) {
        constexpr double rounding = 1e-12;  // of the losses that are added up
        const double leaf = objective_of(problem, limits, {Node{}});
        limits.upper_bound -= rounding * (std::abs(limits.upper_bound) + leaf);
    }
    return limits;
}

namespace {

// Above this, prices alone keep trees from being deeper. Then depth after depth is searched: few
// trees are that deep, and what is known of the others bounds all.
constexpr int usual_depth = 6;
constexpr int first_depth = 3;

// Searches depth after depth up to that of the limits. What is not searched has more leaves than
// the deepest level that is, which also holds beyond the deepest search of all.
Result solve_by_depth(const OptimalProblem& problem, const Limits& limits, int depth_of_all,
                      const Switches& switches, Monitor& monitor) {
    const auto solver = make_solver(problem, limits, switches, monitor);
    const int top = limits.max_depth;
    const bool stepwise = limits.sparsity > 0.0 && top > usual_depth;
    Result result;
    Statistics before;
    NodeList best = problem.start;  // may be deeper than what is searched
    double least = std::numeric_limits<double>::infinity();
    if (stepwise && !best.empty() && keeps_limits(problem, limits, best)) {
        least = objective_of(problem, limits, best);
        monitor.improve(least);
    }
    for (int depth = stepwise ? first_depth : top;; ++depth) {
        const bool last = depth == top;
        const double left = limits.seconds - monitor.seconds();
        monitor.allot(last ? left : left / 2);
        const double beyond = depth >= depth_of_all ? std::numeric_limits<double>::infinity()
                                                    : least_beyond(depth + 1, 0.0, limits.sparsity);
        result = solver->run({best, {depth, limits.max_leaves}, beyond});
        result.objective = objective_of(problem, limits, result.nodes);
        if (least < result.objective) {
            result.objective = least;
            result.nodes = best;
        } else {
            least = result.objective;
            best = result.nodes;
        }
        result.statistics.subproblems += before.subproblems;
        result.statistics.depth_two += before.depth_two;
        result.statistics.bounded += before.bounded;
        before = result.statistics;
        const bool done = std::min(result.objective, limits.upper_bound) <= beyond;
        const bool ended = (result.proven || result.none_below) && done;
        result.proven = result.proven && done;
        result.none_below = result.none_below && done;
        if (ended || last || monitor.interrupted() || monitor.seconds() >= limits.seconds) {
            return result;
        }
    }
}

}  // namespace

Result solve(const OptimalProblem& problem, const Limits& limits, const Switches& switches,
             Monitor::Hooks hooks) {
    problem.check();
    Monitor monitor(limits.seconds, std::move(hooks));
    Limits tight = tightened(problem, limits);
    const double dearest = std::min(objective_of(problem, tight, {Node{}}), tight.upper_bound);
    const std::int64_t worth = leaves_below(dearest, 0.0, tight.sparsity);
    const int all =
        static_cast<int>(std::min<std::int64_t>(tight.max_depth, worth - (worth < any_leaves)));
    tight.max_depth = std::min(all, deepest);
    Result result = solve_by_depth(problem, tight, all, switches, monitor);
    result.lower_bound = result.proven ? result.objective : monitor.lower_bound();
    result.interrupted = monitor.interrupted();
    result.depth_limit = !result.proven && !result.none_below && all > deepest &&
                         !monitor.stopped() && monitor.seconds() < limits.seconds;
    result.history = monitor.finish();
    return result;
}

namespace {

// Calls `at_leaf(row, leaf)` for every row.
template <typename AtLeaf>
void send_rows(const OptimalProblem& problem, const NodeList& nodes, AtLeaf&& at_leaf) {
    for (std::size_t row = 0; row < problem.rows; ++row) {
        std::size_t at = 0;
        while (nodes[at].column >= 0) {
            const Node& node = nodes[at];
            const auto code = problem.columns[static_cast<std::size_t>(node.column)][row];
            at = static_cast<std::size_t>(code <= node.code ? node.left : node.right);
        }
        at_leaf(row, at);
    }
}

}  // namespace

double objective_of(const OptimalProblem& problem, const Limits& limits, const NodeList& nodes) {
    const LeafLoss loss(problem);
    std::vector<double> sums(nodes.size() * loss.width(), 0.0);
    send_rows(problem, nodes, [&](std::size_t row, std::size_t leaf) {
        loss.add(row, sums.data() + leaf * loss.width());
    });
    double objective = 0.0;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (nodes[at].column < 0) {
            objective += loss(sums.data() + at * loss.width()) + limits.sparsity;
        }
    }
    return objective;
}

bool keeps_limits(const OptimalProblem& problem, const Limits& limits, const NodeList& nodes) {
    std::vector<int> depth(nodes.size(), 0);
    std::int64_t leaves = 0;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (depth[at] > limits.max_depth) return false;
        if (nodes[at].column < 0) {
            ++leaves;
            continue;
        }
        depth[static_cast<std::size_t>(nodes[at].left)] = depth[at] + 1;
        depth[static_cast<std::size_t>(nodes[at].right)] = depth[at] + 1;
    }
    if (leaves > limits.max_leaves) return false;
    std::vector<std::int64_t> rows(nodes.size(), 0);
    send_rows(problem, nodes, [&](std::size_t, std::size_t leaf) { ++rows[leaf]; });
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (nodes.size() > 1 && nodes[at].column < 0 && rows[at] < limits.min_samples_leaf) {
            return false;
        }
    }
    return true;
}

}  // namespace ramify::optimal
