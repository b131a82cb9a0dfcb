#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "optimal/solve.hpp"
#include "python/arrays.hpp"
#include "python/read_fields.hpp"
#include "python/register.hpp"

namespace ramify::python {
namespace {

using namespace ramify::optimal;

using Rows = std::vector<Array1<std::int32_t>>;

void read_columns(Problem& problem, const Rows& columns) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        CodedColumn column{view(columns[c]), 0};
        if (column.codes.size() != problem.rows) {
            throw std::invalid_argument("column " + std::to_string(c) + ": wrong length");
        }
        for (const std::int32_t code : column.codes) {
            if (code < 0 || code == std::numeric_limits<std::int32_t>::max()) {
                throw std::invalid_argument("column " + std::to_string(c) + ": not a code");
            }
            column.values = std::max(column.values, code + 1);
        }
        problem.columns.push_back(column);
    }
}

// Rows of (column, code, left, right), the first the root.
void read_start(Problem& problem, const std::vector<std::vector<std::int32_t>>& start) {
    const auto size = static_cast<std::int32_t>(start.size());
    for (const auto& given : start) {
        if (given.size() != 4) throw std::invalid_argument("start: four numbers a node");
        const Node node{given[0], given[1], given[2], given[3]};
        const auto at = static_cast<std::int32_t>(problem.start.size());
        if (node.column >= static_cast<std::int32_t>(problem.columns.size()) ||
            (node.column >= 0 &&
             (node.left <= at || node.right <= at || node.left >= size || node.right >= size))) {
            throw std::invalid_argument("start: not a tree");
        }
        problem.start.push_back(node);
    }
}

// Whether the user wants to stop; the interrupt itself is used up, the search keeps its best tree.
bool take_signal() {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() == 0) return false;
    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
    PyErr_Clear();
    return true;
}

nb::dict as_dict(const Result& result) {
    nb::dict out;
    nb::list nodes, history;
    for (const Node& node : result.nodes) {
        nodes.append(nb::make_tuple(node.column, node.code, node.left, node.right));
    }
    for (const Moment& moment : result.history) {
        history.append(nb::make_tuple(moment.seconds, moment.objective, moment.bound));
    }
    out["nodes"] = nodes;
    out["objective"] = result.objective;
    out["lower_bound"] = result.lower_bound;
    out["proven"] = result.proven;
    out["none_below"] = result.none_below;
    out["interrupted"] = result.interrupted;
    out["history"] = history;
    nb::dict search;
    search["subproblems"] = result.statistics.subproblems;
    search["depth_two"] = result.statistics.depth_two;
    search["cache_hits"] = result.statistics.cache_hits;
    search["cache_entries"] = result.statistics.cache_entries;
    search["evictions"] = result.statistics.evictions;
    search["bounded"] = result.statistics.bounded;
    out["search"] = search;
    return out;
}

}  // namespace

void register_optimal(nb::module_& m) {
    m.def(
        "optimal_tree",
        [](const Rows& columns, std::optional<Array1<std::int32_t>> labels, std::size_t classes,
           std::optional<Array1<double>> target, std::optional<Array1<double>> weights,
           std::optional<Array1<double>> costs, const std::vector<std::vector<std::int32_t>>& start,
           const nb::dict& limits, const nb::dict& switches,
           std::optional<nb::callable> on_progress) {
            Problem problem;
            if (labels.has_value() == target.has_value()) {
                throw std::invalid_argument("either labels or target must be given");
            }
            problem.task = labels ? Task::classification : Task::regression;
            problem.rows = labels ? labels->shape(0) : target->shape(0);
            problem.classes = classes;
            if (labels) problem.labels = view(*labels);
            if (target) problem.target = view(*target);
            if (weights) problem.weights = view(*weights);
            if (costs) problem.costs.assign(view(*costs).begin(), view(*costs).end());
            if (std::any_of(problem.weights.begin(), problem.weights.end(),
                            [](double weight) { return !(weight > 0.0); })) {
                throw std::invalid_argument("weights must be positive");
            }
            if ((weights && weights->shape(0) != problem.rows) ||
                (costs && problem.costs.size() != classes * classes) ||
                std::any_of(problem.labels.begin(), problem.labels.end(), [&](std::int32_t label) {
                    return label < 0 || static_cast<std::size_t>(label) >= classes;
                })) {
                throw std::invalid_argument("labels, weights and costs do not fit");
            }
            read_columns(problem, columns);
            read_start(problem, start);
            const Limits bounds = read_fields<Limits>("limits", limits);
            const Switches parts = read_fields<Switches>("switches", switches);
            Monitor::Hooks hooks{take_signal, {}};
            if (on_progress) {
                hooks.progress = [&](const Moment& moment) {
                    const nb::gil_scoped_acquire gil;
                    (*on_progress)(moment.seconds, moment.objective, moment.bound);
                };
            }
            Result result;
            {
                const nb::gil_scoped_release release;
                result = solve(problem, bounds, parts, std::move(hooks));
            }
            return as_dict(result);
        },
        nb::arg("columns"), nb::kw_only(), nb::arg("labels") = nb::none(), nb::arg("classes") = 0,
        nb::arg("target") = nb::none(), nb::arg("weights") = nb::none(),
        nb::arg("costs") = nb::none(), nb::arg("start") = std::vector<std::vector<std::int32_t>>{},
        nb::arg("limits") = nb::dict(), nb::arg("switches") = nb::dict(),
        nb::arg("on_progress") = nb::none());
}

}  // namespace ramify::python
