#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "optimal/near/measures.hpp"
#include "optimal/near/near_trees.hpp"
#include "python/read_fields.hpp"
#include "python/read_laid_down.hpp"
#include "python/register.hpp"
#include "python/search_hooks.hpp"
#include "python/search_target.hpp"
#include "python/table_binding.hpp"

namespace ramify::python {
namespace {

using namespace ramify::optimal;
using near::Count;
using near::NearTrees;
using near::NearView;
using Split = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
using Splits = std::vector<Split>;

// Numbers of trees are larger than those of a machine word, so they go as a high and a low half.
using Halves = std::pair<std::uint64_t, std::uint64_t>;

Halves halves(Count count) {
    return {static_cast<std::uint64_t>(count >> 64), static_cast<std::uint64_t>(count)};
}

Splits as_splits(const NodeList& nodes) {
    Splits splits;
    for (const Node& node : nodes)
        splits.emplace_back(node.column, node.code, node.left, node.right);
    return splits;
}

// The trees, and the arrays that they read.
struct BoundNear {
    std::unique_ptr<SearchTarget> target;
    std::unique_ptr<NearTrees> trees;
};

struct BoundView {
    const BoundNear* owner;
    NearView view;

    double loss(near::Cost cost) const { return owner->trees->graph().table().loss_of(cost); }
};

std::unique_ptr<BoundNear> near_trees(
    const FeatureSet& features, std::optional<Array1<std::int32_t>> labels, std::size_t classes,
    std::optional<Array1<double>> target, std::optional<Array1<double>> weights,
    std::optional<Array1<double>> costs, const nb::dict& limits,
    const std::vector<std::vector<std::int32_t>>& start, double epsilon, double max_trees,
    bool idle, std::optional<nb::callable> on_progress, const BoundTable* table,
    const std::vector<std::int32_t>& monotone, const std::vector<std::int32_t>& monotone_class,
    const std::vector<nb::dict>& laid, double best) {
    auto bound = std::make_unique<BoundNear>();
    bound->target = std::make_unique<SearchTarget>(labels, classes, target, weights, costs);
    OptimalProblem problem = bound->target->problem();
    if (features.rows() != problem.rows)
        throw std::invalid_argument("the features have another number of rows");
    std::vector<std::int32_t> columns;
    for (std::size_t f = 0; f < features.size(); ++f) {
        problem.columns.push_back(features[f]);
        columns.push_back(features.column(f));
    }
    for (const auto& node : start) problem.add_start(node);
    problem.check();
    const Limits bounds = read_fields<Limits>("limits", limits);
    near::Constraints constraints;
    constraints.signs = {monotone, monotone_class};
    constraints.laid = read_laid_down(laid, problem.rows);
    constraints.best = best;
    if (!monotone.empty()) {
        if (table == nullptr || table->table.rows() != problem.rows || table->table.used_up())
            throw std::invalid_argument("monotone: needs the table of the features");
        constraints.cells = &table->table;
    }
    SearchHooks watched(std::move(on_progress));  // no view asks it
    const nb::gil_scoped_release release;
    bound->trees = std::make_unique<NearTrees>(problem, columns, bounds, epsilon, max_trees, idle,
                                               watched.hooks(), constraints);
    return bound;
}

std::string stopped_by(const BoundNear& self) {
    switch (self.trees->stopped()) {
        case near::Stopped::nothing:
            return "";
        case near::Stopped::time:
            return "time_limit";
        case near::Stopped::interrupt:
            return "interrupt";
        case near::Stopped::memory:
            return "memory_limit";
        case near::Stopped::trees:
            return "max_trees";
        case near::Stopped::depth:
            return "depth_limit";
    }
    return "";
}

BoundView view_of(const BoundNear& self, const std::vector<bool>& excluded, std::int32_t root,
                  std::int64_t max_leaves, double most) {
    if (!self.trees->found()) throw std::invalid_argument("the best tree is not known");
    near::Filter filter;
    filter.excluded.assign(excluded.begin(), excluded.end());
    filter.root_column = root;
    filter.max_leaves = max_leaves;
    const near::NearTable& table = self.trees->graph().table();
    if (most < std::exp2(60) / table.scale)
        filter.most = table.fixed(most) + self.trees->graph().slack();
    const nb::gil_scoped_release release;
    return {&self, self.trees->view(std::move(filter))};
}

}  // namespace

void register_near(nb::module_& m) {
    nb::class_<BoundNear>(m, "NearTrees", "All trees near the best, in one graph.")
        .def_prop_ro("found", [](const BoundNear& self) { return self.trees->found(); })
        .def_prop_ro("stopped_by", &stopped_by)
        .def_prop_ro("best",
                     [](const BoundNear& self) {
                         return self.trees->graph().table().loss_of(self.trees->best());
                     })
        .def_prop_ro("radius",
                     [](const BoundNear& self) {
                         return self.trees->graph().table().loss_of(self.trees->radius());
                     })
        .def_prop_ro("n_subproblems",
                     [](const BoundNear& self) { return self.trees->graph().subproblems().size(); })
        .def("view", &view_of, nb::arg("excluded"), nb::arg("root"), nb::arg("max_leaves"),
             nb::arg("most"), nb::keep_alive<0, 1>());
    nb::class_<BoundView>(m, "NearView", "A part of the trees near the best.")
        .def("buckets",
             [](const BoundView& self) {
                 std::vector<std::tuple<double, std::int32_t, Halves>> out;
                 Count count = 0;
                 const auto& buckets = self.view.buckets();
                 for (std::size_t b = 0; b < buckets.size(); ++b) {
                     count += buckets[b].count;
                     const bool last = b + 1 == buckets.size() ||
                                       buckets[b + 1].cost != buckets[b].cost ||
                                       buckets[b + 1].leaves != buckets[b].leaves;
                     if (!last) continue;  // they differ in where their leaves lie
                     out.emplace_back(self.loss(buckets[b].cost), buckets[b].leaves, halves(count));
                     count = 0;
                 }
                 return out;
             })
        .def(
            "tree",
            [](const BoundView& self, std::uint64_t high, std::uint64_t low) {
                const auto found = self.view.tree(Count{high} << 64 | low);
                return std::pair(self.loss(found.first), as_splits(found.second));
            },
            nb::arg("high"), nb::arg("low"))
        .def(
            "importance",
            [](const BoundView& self, std::int32_t column) {
                const near::Importance measure(self.owner->trees->graph(), column);
                const nb::gil_scoped_release release;
                return std::pair(self.view.extreme(measure, false).first,
                                 self.view.extreme(measure, true).first);
            },
            nb::arg("column"))
        .def(
            "farthest",
            [](const BoundView& self, std::optional<Array1<std::int32_t>> labels,
               std::optional<Array1<double>> numbers, bool largest) {
                const near::NearGraph& graph = self.owner->trees->graph();
                const std::size_t rows = labels    ? labels->shape(0)
                                         : numbers ? numbers->shape(0)
                                                   : 0;
                if (rows != graph.table().problem.rows)
                    throw std::invalid_argument("one answer for every row is needed");
                const auto as_labels = labels ? view(*labels) : std::span<const std::int32_t>{};
                const auto as_numbers = numbers ? view(*numbers) : std::span<const double>{};
                const nb::gil_scoped_release release;
                const near::Distance measure(self.view, graph, as_labels, as_numbers);
                const auto found = self.view.extreme(measure, largest);
                return std::pair(found.first, as_splits(found.second));
            },
            nb::kw_only(), nb::arg("labels") = nb::none(), nb::arg("numbers") = nb::none(),
            nb::arg("largest") = true)
        .def("answers", [](const BoundView& self) {
            const near::NearGraph& graph = self.owner->trees->graph();
            std::vector<double> out;
            {
                const nb::gil_scoped_release release;
                out = near::answers(self.view, graph);
            }
            const std::size_t rows = graph.table().problem.rows;
            const std::size_t width = out.size() / std::max<std::size_t>(1, rows);
            return to_numpy(std::move(out), {rows, width});
        });
    m.def("near_trees", &near_trees, nb::arg("features"), nb::kw_only(),
          nb::arg("labels") = nb::none(), nb::arg("classes") = 0, nb::arg("target") = nb::none(),
          nb::arg("weights") = nb::none(), nb::arg("costs") = nb::none(),
          nb::arg("limits") = nb::dict(),
          nb::arg("start") = std::vector<std::vector<std::int32_t>>{}, nb::arg("epsilon"),
          nb::arg("max_trees"), nb::arg("idle") = false, nb::arg("on_progress") = nb::none(),
          nb::arg("table").none() = nb::none(), nb::arg("monotone") = std::vector<std::int32_t>{},
          nb::arg("monotone_class") = std::vector<std::int32_t>{},
          nb::arg("laid") = std::vector<nb::dict>{}, nb::arg("best") = -1.0);
}

}  // namespace ramify::python
