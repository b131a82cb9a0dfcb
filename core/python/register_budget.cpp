#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "optimal/budget/budget_search.hpp"
#include "optimal/features/feature_set.hpp"
#include "optimal/solve.hpp"
#include "python/read_fields.hpp"
#include "python/register.hpp"
#include "python/search_hooks.hpp"
#include "python/search_target.hpp"

namespace ramify::python {
namespace {

using namespace ramify::optimal;
using budget::Budget;
using budget::BudgetResult;
using budget::BudgetSearch;

nb::dict budget_tree(const FeatureSet& features, const Array1<std::int32_t>& labels,
                     std::size_t classes, std::optional<Array1<double>> weights,
                     std::optional<Array1<double>> costs,
                     const std::vector<std::tuple<std::int32_t, double, double>>& budgets,
                     const nb::dict& limits, std::optional<nb::callable> on_progress) {
    const SearchTarget given(labels, classes, {}, weights, costs);
    OptimalProblem problem = given.problem();
    if (features.rows() != problem.rows)
        throw std::invalid_argument("the features have another number of rows");
    for (std::size_t f = 0; f < features.size(); ++f) problem.columns.push_back(features[f]);
    problem.check();
    std::vector<Budget> read;
    for (const auto& [label, most, price] : budgets) {
        if (label < 0 || static_cast<std::size_t>(label) >= classes || !(price >= 0.0))
            throw std::invalid_argument("budgets: not a class, or a negative price");
        read.push_back({label, most, price});
    }
    const Limits bounds = tightened(problem, read_fields<Limits>("limits", limits));
    SearchHooks watched(std::move(on_progress));
    Monitor monitor(bounds.seconds, watched.hooks());
    BudgetResult result;
    {
        const nb::gil_scoped_release release;
        result = BudgetSearch(problem, read, bounds, monitor).run();
    }
    nb::list nodes;
    for (const auto& [node, label] : result.nodes) {
        nodes.append(nb::make_tuple(node.column, node.code, node.left, node.right));
    }
    nb::dict out;
    out["nodes"] = nodes;
    out["answers"] = to_numpy(std::move(result.answers));
    out["cost"] = result.cost;
    out["finished"] = result.finished;
    out["interrupted"] = result.interrupted;
    out["subproblems"] = result.subproblems;
    return out;
}

}  // namespace

void register_budget(nb::module_& m) {
    m.def("budget_tree", &budget_tree, nb::arg("features"), nb::kw_only(), nb::arg("labels"),
          nb::arg("classes"), nb::arg("weights") = nb::none(), nb::arg("costs") = nb::none(),
          nb::arg("budgets"), nb::arg("limits") = nb::dict(), nb::arg("on_progress") = nb::none());
}

}  // namespace ramify::python
