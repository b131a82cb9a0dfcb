#include "optimal/solve.hpp"

#include <algorithm>

#include "optimal/leaf_loss.hpp"
#include "optimal/searches.hpp"

namespace ramify::optimal {
namespace {

bool all_binary(const Problem& problem) {
    return std::all_of(problem.columns.begin(), problem.columns.end(),
                       [](const CodedColumn& column) { return column.values <= 2; });
}

}  // namespace

Result solve(const Problem& problem, const Limits& limits, const Switches& switches,
             Monitor::Hooks hooks) {
    Monitor monitor(limits.seconds, std::move(hooks));
    Result result = all_binary(problem) ? solve_binary(problem, limits, switches, monitor)
                                        : solve_continuous(problem, limits, switches, monitor);
    result.objective = objective_of(problem, limits, result.nodes);
    result.lower_bound = result.proven ? result.objective : monitor.lower_bound();
    result.interrupted = monitor.interrupted();
    result.history = monitor.finish();
    return result;
}

double objective_of(const Problem& problem, const Limits& limits, const NodeList& nodes) {
    const LeafLoss loss(problem);
    std::vector<double> sums(nodes.size() * loss.width(), 0.0);
    for (std::size_t row = 0; row < problem.rows; ++row) {
        std::size_t at = 0;
        while (nodes[at].column >= 0) {
            const Node& node = nodes[at];
            const auto code = problem.columns[static_cast<std::size_t>(node.column)].codes[row];
            at = static_cast<std::size_t>(code <= node.code ? node.left : node.right);
        }
        loss.add(row, sums.data() + at * loss.width());
    }
    double objective = 0.0;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (nodes[at].column < 0) {
            objective += loss(sums.data() + at * loss.width()) + limits.sparsity;
        }
    }
    return objective;
}

}  // namespace ramify::optimal
