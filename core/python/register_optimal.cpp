#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <variant>

#include "optimal/extent.hpp"
#include "optimal/features/feature_set.hpp"
#include "optimal/front.hpp"
#include "optimal/solve.hpp"
#include "python/read_fields.hpp"
#include "python/register.hpp"
#include "python/search_target.hpp"
#include "python/take_signal.hpp"

namespace ramify::python {
namespace {

using namespace ramify::optimal;

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

// Columns of codes, or the features of a table.
using Columns = std::variant<const FeatureSet*, std::vector<Array1<std::int32_t>>>;

void add_columns(const Columns& columns, OptimalProblem& problem) {
    if (const auto* features = std::get_if<const FeatureSet*>(&columns)) {
        if ((*features)->rows() != problem.rows)
            throw std::invalid_argument("the features have another number of rows");
        for (std::size_t f = 0; f < (*features)->size(); ++f)
            problem.columns.push_back((**features)[f]);
        return;
    }
    for (const auto& column : std::get<1>(columns)) problem.add_column(view(column));
}

}  // namespace

void register_optimal(nb::module_& m) {
    m.def("deepest_search", [] { return deepest; });
    m.def(
        "optimal_tree",
        [](const Columns& columns, std::optional<Array1<std::int32_t>> labels, std::size_t classes,
           std::optional<Array1<double>> target, std::optional<Array1<double>> weights,
           std::optional<Array1<double>> costs, std::optional<Array1<double>> regrets,
           const std::vector<std::vector<std::int32_t>>& start, const nb::dict& limits,
           const nb::dict& switches, std::optional<nb::callable> on_progress) {
            const SearchTarget given(labels, classes, target, weights, costs, regrets);
            OptimalProblem problem = given.problem();
            add_columns(columns, problem);
            for (const auto& node : start) problem.add_start(node);
            const Limits bounds = read_fields<Limits>("limits", limits);
            const Switches parts = read_fields<Switches>("switches", switches);
            // Ctrl-C comes to the main thread alone. In others, on_progress stops the search in the
            // same way: it raises KeyboardInterrupt.
            bool stopped = false;
            Monitor::Hooks hooks{[&] { return stopped || take_signal(); }, {}};
            if (on_progress) {
                hooks.progress = [&](const Moment& moment) {
                    const nb::gil_scoped_acquire gil;
                    try {
                        (*on_progress)(moment.seconds, moment.objective, moment.bound);
                    } catch (nb::python_error& error) {
                        if (!error.matches(PyExc_KeyboardInterrupt)) throw;
                        stopped = true;
                    }
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
        nb::arg("costs") = nb::none(), nb::arg("regrets") = nb::none(),
        nb::arg("start") = std::vector<std::vector<std::int32_t>>{}, nb::arg("limits") = nb::dict(),
        nb::arg("switches") = nb::dict(), nb::arg("on_progress") = nb::none());
    m.def(
        "optimal_front",
        [](const Columns& columns, std::optional<Array1<std::int32_t>> labels, std::size_t classes,
           std::optional<Array1<double>> target, std::optional<Array1<double>> weights,
           std::optional<Array1<double>> costs, const std::vector<std::vector<std::int32_t>>& start,
           const nb::dict& limits, const nb::dict& switches) {
            const SearchTarget given(labels, classes, target, weights, costs);
            OptimalProblem problem = given.problem();
            add_columns(columns, problem);
            for (const auto& node : start) problem.add_start(node);
            const Limits bounds = read_fields<Limits>("limits", limits);
            const Switches parts = read_fields<Switches>("switches", switches);
            std::vector<Result> results;
            {
                const nb::gil_scoped_release release;
                results = solve_front(problem, bounds, parts, {[] { return take_signal(); }, {}});
            }
            nb::list out;
            for (const Result& result : results) out.append(as_dict(result));
            return out;
        },
        nb::arg("columns"), nb::kw_only(), nb::arg("labels") = nb::none(), nb::arg("classes") = 0,
        nb::arg("target") = nb::none(), nb::arg("weights") = nb::none(),
        nb::arg("costs") = nb::none(), nb::arg("start") = std::vector<std::vector<std::int32_t>>{},
        nb::arg("limits") = nb::dict(), nb::arg("switches") = nb::dict());
}

}  // namespace ramify::python
