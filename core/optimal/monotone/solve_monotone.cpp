#include "optimal/monotone/solve_monotone.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "optimal/extent.hpp"
#include "optimal/monotone/beginning.hpp"
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
    NodeList read(const NodeList& start) const {
        NodeList nodes;
        for (Node node : start) {
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

// Whether deeper trees than this cost no less than the best. `others` are leaves beside a branch.
bool deep_enough(double best, int depth, std::int64_t others, const Limits& limits) {
    return best <= least_beyond(depth + 1 + others, 0.0, limits.sparsity);
}

// Trees of depth one, two, ... come first: each search begins with the tree of the one before, and
// a search that is stopped has had those of less depth.
// Gives whether nothing is left to search.
bool search_all(Search& search, const near::NearTable& table, const Order& order,
                Monitor& monitor) {
    const Limits& limits = table.limits;
    const Range any = Range::all(order.outputs());
    const int last = std::min(limits.max_depth, deepest);
    bool all = last == limits.max_depth;
    const auto least = [&] { return std::min(search.best_value, limits.upper_bound); };
    for (int depth = std::min(1, last); depth <= last; ++depth) {
        search.all_depths = depth == limits.max_depth;
        search.solve(table.table->all.data(), depth, limits.max_leaves, any, least(), true);
        if (!deep_enough(least(), depth, 0, limits)) continue;
        all = true;
        break;
    }
    monitor.bound(all ? least() : least_beyond(last + 1, 0.0, limits.sparsity));
    return all;
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
            const NodeList start = StartReader(problem, columns, table).read(problem.start);
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
            finished = search_all(search, table, order, monitor);
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
    result.depth_limit =
        !result.proven && !result.none_below && tight.max_depth > deepest && !monitor.stopped();
    result.history = monitor.finish();
    return result;
}

namespace monotone {
namespace {

void write(const near::NearTable& table, const Growth& growth, const LaidDown& parts,
           LaidResult& to) {
    const auto p = static_cast<std::size_t>(growth.part);
    switch (parts[p].kind) {
        case LaidPart::Kind::branch:
            to.trees[p].clear();
            write(table, growth.tree, to.trees[p]);
            return;
        case LaidPart::Kind::choice:
            to.chosen[p] = growth.left->part;
            return write(table, *growth.left, parts, to);
        case LaidPart::Kind::condition:
            write(table, *growth.left, parts, to);
            write(table, *growth.right, parts, to);
    }
}

// Branches without a split come first, then the starts, then one level after the other.
bool search_below(Beginning& beginning, const std::vector<NodeList>& starts, const Limits& limits,
                  Monitor& monitor) {
    const int all = beginning.deepest_branch(), last = std::min(all, deepest);
    const std::int64_t leaves = limits.max_leaves, others = beginning.fewest() - 1;
    const auto least = [&] { return std::min(beginning.best_value, limits.upper_bound); };
    beginning.run(0, leaves, binary::infinite);
    monitor.bound(beginning.least());
    beginning.begin(starts, leaves);
    bool finished = last == all;
    for (int levels = std::min(1, last); levels <= last; ++levels) {
        beginning.run(levels, leaves, least());
        if (!deep_enough(least(), levels, others, limits)) continue;
        finished = true;
        break;
    }
    if (finished) monitor.bound(least());
    return finished;
}

}  // namespace
}  // namespace monotone

LaidResult solve_monotone_below(const OptimalProblem& problem,
                                const std::vector<std::int32_t>& columns, const Table& cells,
                                const monotone::Signs& signs, const LaidDown& parts,
                                const Limits& limits, const Switches& switches,
                                Monitor::Hooks hooks) {
    using namespace monotone;
    problem.check();
    Monitor monitor(limits.seconds, std::move(hooks));
    Limits tight = limits;
    tight.min_samples_leaf = std::max<std::int64_t>(1, limits.min_samples_leaf);
    if (tight.upper_bound < std::numeric_limits<double>::infinity()) {
        constexpr double rounding = 1e-12;  // of the losses that are added up
        tight.upper_bound -=
            rounding * (std::abs(tight.upper_bound) + objective_of(problem, tight, {Node{}}));
    }
    LaidResult result;
    result.trees.resize(parts.size());
    result.chosen.assign(parts.size(), -1);
    bool finished = false;
    std::optional<near::NearTable> table;
    std::optional<Order> order;
    std::optional<Search> search;
    std::optional<Beginning> beginning;
    try {
        table.emplace(problem, columns, tight, monitor);
        order.emplace(*table, cells, signs);
        search.emplace(*table, *order, switches, monitor);
        beginning.emplace(*search, *table, *order, parts, monitor);
        const StartReader reader(problem, columns, *table);
        std::vector<NodeList> starts;
        for (const LaidPart& part : parts) starts.push_back(reader.read(part.start));
        finished = search_below(*beginning, starts, tight, monitor);
    } catch (const Halt&) {
        // What has been found so far stays.
    }
    monitor.end_search();
    Result& whole = result.whole;
    if (beginning && beginning->best) {
        write(*table, *beginning->best, parts, result);
        result.found = true;
        whole.objective = beginning->best_value;
        whole.proven = finished && whole.objective <= tight.upper_bound;
        whole.none_below = finished && whole.objective >= tight.upper_bound;
    }
    if (search) {
        whole.statistics = search->statistics;
        whole.statistics.subproblems += search->of_bounds().subproblems;
        whole.statistics.depth_two += search->of_bounds().depth_two;
        whole.statistics.bounded += search->of_bounds().bounded;
    }
    whole.lower_bound = whole.proven ? whole.objective : monitor.lower_bound();
    whole.interrupted = monitor.interrupted();
    whole.depth_limit = result.found && !finished && !monitor.stopped();
    whole.history = monitor.finish();
    return result;
}

}  // namespace ramify::optimal
