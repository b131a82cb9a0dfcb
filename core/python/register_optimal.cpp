#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <numeric>
#include <variant>

#include "optimal/extent.hpp"
#include "optimal/features/feature_set.hpp"
#include "optimal/front.hpp"
#include "optimal/monotone/solve_monotone.hpp"
#include "optimal/part.hpp"
#include "optimal/solve.hpp"
#include "python/read_fields.hpp"
#include "python/read_laid_down.hpp"
#include "python/register.hpp"
#include "python/search_hooks.hpp"
#include "python/search_target.hpp"
#include "python/table_binding.hpp"

namespace ramify::python {
namespace {

using namespace ramify::optimal;

nb::list as_list(const NodeList& tree) {
    nb::list nodes;
    for (const Node& node : tree)
        nodes.append(nb::make_tuple(node.column, node.code, node.left, node.right));
    return nodes;
}

nb::dict as_dict(const Result& result) {
    nb::dict out;
    const nb::list nodes = as_list(result.nodes);
    nb::list history;
    for (const Moment& moment : result.history) {
        history.append(nb::make_tuple(moment.seconds, moment.objective, moment.bound));
    }
    out["nodes"] = nodes;
    out["objective"] = result.objective;
    out["lower_bound"] = result.lower_bound;
    out["proven"] = result.proven;
    out["none_below"] = result.none_below;
    out["interrupted"] = result.interrupted;
    out["depth_limit"] = result.depth_limit;
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

using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<std::int32_t> rows_of(const std::optional<Array1<std::int32_t>>& given,
                                  std::size_t all) {
    std::vector<std::int32_t> rows;
    if (given) {
        const auto some = view(*given);
        rows.assign(some.begin(), some.end());
    } else {
        rows.resize(all);
        std::iota(rows.begin(), rows.end(), 0);
    }
    return rows;
}

std::vector<std::uint8_t> flags_of(const std::optional<Mask>& given) {
    if (!given) return {};
    return {given->data(), given->data() + given->shape(0)};
}

// The column of every feature, for a search that keeps an order.
std::vector<std::int32_t> columns_asked(const Columns& columns, const BoundTable* table,
                                        const OptimalProblem& problem,
                                        const monotone::Signs& signs) {
    if (signs.sign.empty()) return {};
    const auto* features = std::get_if<const FeatureSet*>(&columns);
    if (features == nullptr || table == nullptr || table->table.rows() != problem.rows ||
        !problem.regrets.empty()) {
        throw std::invalid_argument("monotone: needs features, and the table they are made from");
    }
    if (table->table.used_up()) throw std::invalid_argument("the table has been used up");
    std::vector<std::int32_t> asked;
    for (std::size_t f = 0; f < (*features)->size(); ++f) asked.push_back((*features)->column(f));
    return asked;
}

}  // namespace

void register_optimal(nb::module_& m) {
    m.def("deepest_search", [] { return deepest; });
    m.def(
        "optimal_tree",
        [](const Columns& columns, std::optional<Array1<std::int32_t>> labels, std::size_t classes,
           std::optional<Array1<double>> target, std::optional<Array1<double>> weights,
           std::optional<Array1<double>> costs, std::optional<Array1<double>> regrets,
           const std::string& loss, double quantile,
           const std::vector<std::vector<std::int32_t>>& start, const nb::dict& limits,
           const nb::dict& switches, std::optional<nb::callable> on_progress,
           std::optional<Array1<std::int32_t>> rows, std::optional<Mask> wanted,
           const BoundTable* table, const std::vector<std::int32_t>& monotone,
           const std::vector<std::int32_t>& monotone_class) {
            const SearchTarget given(labels, classes, target, weights, costs, regrets,
                                     number_objective(loss, quantile));
            OptimalProblem problem = given.problem();
            add_columns(columns, problem);
            for (const auto& node : start) problem.add_start(node);
            const Limits bounds = read_fields<Limits>("limits", limits);
            const Switches parts = read_fields<Switches>("switches", switches);
            SearchHooks watched(std::move(on_progress));
            const monotone::Signs signs{monotone, monotone_class};
            const std::vector<std::int32_t> asked = columns_asked(columns, table, problem, signs);
            if (!monotone.empty() && (rows || wanted))
                throw std::invalid_argument("monotone: all rows and all features take part");
            Result result;
            {
                const nb::gil_scoped_release release;
                if (!monotone.empty()) {
                    result = solve_monotone(problem, asked, table->table, signs, bounds, parts,
                                            watched.hooks());
                } else if (rows || wanted) {
                    const std::vector<std::int32_t> taken = rows_of(rows, problem.rows);
                    const Part part(problem, taken, flags_of(wanted));
                    result = solve(part.problem(), bounds, parts, watched.hooks());
                } else {
                    result = solve(problem, bounds, parts, watched.hooks());
                }
            }
            return as_dict(result);
        },
        nb::arg("columns"), nb::kw_only(), nb::arg("labels") = nb::none(), nb::arg("classes") = 0,
        nb::arg("target") = nb::none(), nb::arg("weights") = nb::none(),
        nb::arg("costs") = nb::none(), nb::arg("regrets") = nb::none(), nb::arg("loss") = "squared",
        nb::arg("quantile") = 0.5, nb::arg("start") = std::vector<std::vector<std::int32_t>>{},
        nb::arg("limits") = nb::dict(), nb::arg("switches") = nb::dict(),
        nb::arg("on_progress") = nb::none(), nb::arg("rows") = nb::none(),
        nb::arg("wanted") = nb::none(), nb::arg("table").none() = nb::none(),
        nb::arg("monotone") = std::vector<std::int32_t>{},
        nb::arg("monotone_class") = std::vector<std::int32_t>{});
    m.def(
        "optimal_tree_below",
        [](const Columns& columns, const std::vector<nb::dict>& laid,
           std::optional<Array1<std::int32_t>> labels, std::size_t classes,
           std::optional<Array1<double>> target, std::optional<Array1<double>> weights,
           std::optional<Array1<double>> costs, const std::string& loss, double quantile,
           const nb::dict& limits, const nb::dict& switches,
           std::optional<nb::callable> on_progress, const BoundTable* table,
           const std::vector<std::int32_t>& monotone,
           const std::vector<std::int32_t>& monotone_class) {
            const SearchTarget given(labels, classes, target, weights, costs, {},
                                     number_objective(loss, quantile));
            OptimalProblem problem = given.problem();
            add_columns(columns, problem);
            const Limits bounds = read_fields<Limits>("limits", limits);
            const Switches parts = read_fields<Switches>("switches", switches);
            SearchHooks watched(std::move(on_progress));
            const monotone::Signs signs{monotone, monotone_class};
            const std::vector<std::int32_t> asked = columns_asked(columns, table, problem, signs);
            if (monotone.empty()) throw std::invalid_argument("monotone: no order is asked");
            const LaidDown beginning = read_laid_down(laid, problem.rows);
            LaidResult result;
            {
                const nb::gil_scoped_release release;
                result = solve_monotone_below(problem, asked, table->table, signs, beginning,
                                              bounds, parts, watched.hooks());
            }
            nb::dict out = as_dict(result.whole);
            nb::list trees;
            for (const NodeList& tree : result.trees) trees.append(as_list(tree));
            out["found"] = result.found;
            out["trees"] = trees;
            out["chosen"] = result.chosen;
            return out;
        },
        nb::arg("columns"), nb::kw_only(), nb::arg("laid"), nb::arg("labels") = nb::none(),
        nb::arg("classes") = 0, nb::arg("target") = nb::none(), nb::arg("weights") = nb::none(),
        nb::arg("costs") = nb::none(), nb::arg("loss") = "squared", nb::arg("quantile") = 0.5,
        nb::arg("limits") = nb::dict(), nb::arg("switches") = nb::dict(),
        nb::arg("on_progress") = nb::none(), nb::arg("table"), nb::arg("monotone"),
        nb::arg("monotone_class"));
    m.def(
        "optimal_front",
        [](const Columns& columns, std::optional<Array1<std::int32_t>> labels, std::size_t classes,
           std::optional<Array1<double>> target, std::optional<Array1<double>> weights,
           std::optional<Array1<double>> costs, const std::string& loss, double quantile,
           const std::vector<std::vector<std::int32_t>>& start, const nb::dict& limits,
           const nb::dict& switches, std::optional<nb::callable> on_progress) {
            const SearchTarget given(labels, classes, target, weights, costs, {},
                                     number_objective(loss, quantile));
            OptimalProblem problem = given.problem();
            add_columns(columns, problem);
            for (const auto& node : start) problem.add_start(node);
            const Limits bounds = read_fields<Limits>("limits", limits);
            const Switches parts = read_fields<Switches>("switches", switches);
            SearchHooks watched(std::move(on_progress));
            std::vector<Result> results;
            {
                const nb::gil_scoped_release release;
                results = solve_front(problem, bounds, parts, watched.hooks());
            }
            nb::list out;
            for (const Result& result : results) out.append(as_dict(result));
            return out;
        },
        nb::arg("columns"), nb::kw_only(), nb::arg("labels") = nb::none(), nb::arg("classes") = 0,
        nb::arg("target") = nb::none(), nb::arg("weights") = nb::none(),
        nb::arg("costs") = nb::none(), nb::arg("loss") = "squared", nb::arg("quantile") = 0.5,
        nb::arg("start") = std::vector<std::vector<std::int32_t>>{}, nb::arg("limits") = nb::dict(),
        nb::arg("switches") = nb::dict(), nb::arg("on_progress") = nb::none());
}

}  // namespace ramify::python
