#include "optimal/monotone/solve_monotone.hpp"

#include <algorithm>

#include "optimal/monotone/search.hpp"

namespace ramify::optimal {
namespace monotone {
namespace {

// Writes the splits of the features of the problem as questions of the table. A question may have
// the sides of its split swapped.
class StartReader {
  public:
    StartReader(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
                const near::NearTable& table)
        : problem_(problem), columns_(columns), table_(table) {}

    // Empty if a split is no question.
    NodeList read() const {
        NodeList nodes;
        for (Node node : problem_.start) {
            if (node.column >= 0 && !find(node)) return {};
            nodes.push_back(node);
        }
        return nodes;
    }

  private:
    bool find(Node& node) const {
        const auto feature = static_cast<std::size_t>(node.column);
        const SearchColumn& codes = problem_.columns[feature];
        for (std::size_t q = 0; q < table_.questions.size(); ++q) {
            if (table_.questions[q].column != columns_[feature]) continue;
            const SearchColumn& bits = table_.problem.columns[q];
            bool same = true, other = true;
            for (std::size_t row = 0; row < problem_.rows && (same || other); ++row) {
                ((codes[row] > node.code) == (bits[row] > 0) ? other : same) = false;
            }
            if (!same && !other) continue;
            node.column = static_cast<std::int32_t>(q);
            node.code = 0;
            if (!same) std::swap(node.left, node.right);
            return true;
        }
        return false;
    }

    const OptimalProblem& problem_;
    const std::vector<std::int32_t>& columns_;
    const near::NearTable& table_;
};

void write(const near::NearTable& table, const Tree& tree, NodeList& to) {
    if (tree->question < 0) {
        to.push_back({});
        return;
    }
    const near::Question& question = table.questions[static_cast<std::size_t>(tree->question)];
    const std::size_t at = to.size();
    to.push_back({question.feature, question.code, static_cast<std::int32_t>(at) + 1, -1});
    write(table, tree->left, to);
    to[at].right = static_cast<std::int32_t>(to.size());
    write(table, tree->right, to);
}

// Trees of depth one, two, ... come first: each search begins with the tree of the one before, and
// a search that is stopped has had those of less depth.
void search_all(Search& search, const near::NearTable& table, const Order& order,
                Monitor& monitor) {
    const Limits& limits = table.limits;
    const Range any = Range::all(order.outputs());
    for (int depth = std::min(1, limits.max_depth); depth <= limits.max_depth; ++depth) {
        search.all_depths = depth == limits.max_depth;
        const double upper = std::min(search.best_value, limits.upper_bound);
        search.solve(table.table->all.data(), depth, limits.max_leaves, any, upper, true);
    }
    monitor.bound(std::min(search.best_value, limits.upper_bound));
}

Result run(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
           const Table& cells, const Signs& signs, const Limits& limits, const Switches& switches,
           Monitor& monitor) {
    Result result;
    result.nodes = {Node{}};
    double value = objective_of(problem, limits, result.nodes);
    monitor.improve(value);
    try {
        const near::NearTable table(problem, columns, limits, monitor);
        const Order order(table, cells, signs);
        Search search(table, order, switches, monitor);
        search.best = std::make_shared<const Shape>();
        search.best_value = value;
        if (!problem.start.empty() && keeps_limits(problem, limits, problem.start)) {
            const NodeList start = StartReader(problem, columns, table).read();
            if (!start.empty()) {
                const Answer kept = search.keep_order(start, table.table->all.data());
                if (kept.value < search.best_value) {
                    search.best_value = kept.value;
                    search.best = kept.tree;
                    monitor.improve(kept.value);
                }
            }
        }
        bool finished = false;
        try {
            search_all(search, table, order, monitor);
            finished = true;
        } catch (const Halt&) {
            // What has been found so far stays.
        }
        monitor.end_search();
        result.proven = finished && search.best_value <= limits.upper_bound;
        result.none_below = finished && search.best_value >= limits.upper_bound;
        result.nodes.clear();
        write(table, search.best, result.nodes);
        result.statistics = search.statistics;
        result.statistics.subproblems += search.of_bounds().subproblems;
        result.statistics.depth_two += search.of_bounds().depth_two;
        result.statistics.bounded += search.of_bounds().bounded;
    } catch (const Halt&) {
        // There was no time to make the questions.
    }
    return result;
}

}  // namespace
}  // namespace monotone

Result solve_monotone(const OptimalProblem& problem, const std::vector<std::int32_t>& columns,
                      const Table& cells, const monotone::Signs& signs, const Limits& limits,
                      const Switches& switches, Monitor::Hooks hooks) {
    problem.check();
    Monitor monitor(limits.seconds, std::move(hooks));
    const Limits tight = tightened(problem, limits);
    Result result = monotone::run(problem, columns, cells, signs, tight, switches, monitor);
    monitor.end_search();
    result.objective = objective_of(problem, tight, result.nodes);
    result.lower_bound = result.proven ? result.objective : monitor.lower_bound();
    result.interrupted = monitor.interrupted();
    result.history = monitor.finish();
    return result;
}

}  // namespace ramify::optimal
