#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

#include "python/arrays.hpp"
#include "python/register.hpp"
#include "tree/tree.hpp"

namespace ramify::python {
namespace {

constexpr std::size_t moments = 3;  // values per node of a regression tree

std::size_t outputs_of(const Tree& tree) {
    return tree.task() == Task::classification ? tree.width() : 1;
}

// Calls visit(name, vector) for every array of a tree: the one list of their names.
template <typename Arrays, typename Visit>
void for_each_array(Arrays& a, Visit&& visit) {
    visit("parent", a.parent);
    visit("first_child", a.first_child);
    visit("n_children", a.n_children);
    visit("depth", a.depth);
    visit("kind", a.kind);
    visit("attribute", a.attribute);
    visit("threshold", a.threshold);
    visit("missing_to", a.missing_to);
    visit("proportion", a.proportion);
    visit("rows", a.rows);
    visit("weight", a.weight);
    visit("impurity", a.impurity);
    visit("gain", a.gain);
    visit("log_p", a.log_p);
    visit("expansion", a.expansion);
    visit("key", a.key);
    visit("prediction", a.prediction);
    visit("spread", a.spread);
    visit("value", a.value);
    visit("level_start", a.levels.start);
    visit("level_code", a.levels.code);
    visit("level_branch", a.levels.branch);
    visit("competitor_start", a.competitor_start);
    visit("competitor_attribute", a.competitor_attribute);
    visit("competitor_kind", a.competitor_kind);
    visit("competitor_threshold", a.competitor_threshold);
    visit("competitor_gain", a.competitor_gain);
    visit("competitor_missing_to", a.competitor_missing_to);
    visit("competitor_level_start", a.competitor_levels.start);
    visit("competitor_level_code", a.competitor_levels.code);
    visit("competitor_level_branch", a.competitor_levels.branch);
}

Tree make_tree(const std::string& task, std::size_t columns, std::size_t outputs,
               const nb::dict& given) {
    if (task != "classification" && task != "regression") {
        throw std::invalid_argument("task is 'classification' or 'regression', not '" + task + "'");
    }
    TreeArrays arrays;
    for_each_array(arrays, [&](const char* name, auto& to) {
        using T = typename std::remove_reference_t<decltype(to)>::value_type;
        const std::string_view known = name;
        if (!given.contains(name) && (known == "log_p" || known == "spread")) return;  // came later
        if (!given.contains(name))
            throw std::invalid_argument(std::string("array '") + name + "' is missing");
        nb::ndarray<const T, nb::c_contig, nb::device::cpu> array;
        if (!nb::try_cast(given[name], array)) {
            throw std::invalid_argument(std::string("array '") + name +
                                        "' has the wrong type or layout");
        }
        to.assign(array.data(), array.data() + array.size());
    });
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    if (!given.contains("log_p")) arrays.log_p.assign(arrays.gain.size(), nothing);
    const bool classification = task == "classification";
    if (!classification && outputs != 1)
        throw std::invalid_argument("a regression tree has one output");
    return Tree(classification ? Task::classification : Task::regression, columns,
                classification ? outputs : moments, std::move(arrays));
}

nb::dict arrays_of(const Tree& tree) {
    nb::dict result;
    for_each_array(tree.arrays(), [&](const char* name, const auto& from) {
        if (std::string_view(name) == "value") {
            result[name] = to_numpy(from, {tree.size(), tree.width()});
        } else if (!from.empty() || std::string_view(name) != "spread") {
            result[name] = to_numpy(from);
        }
    });
    return result;
}

using AnyColumn =
    std::variant<StridedArray1, nb::ndarray<const std::int32_t, nb::ndim<1>, nb::device::cpu>>;
using AnyTable = std::variant<StridedArray2, std::vector<AnyColumn>>;

using WritableMatrix = nb::ndarray<double, nb::ndim<2>, nb::device::cpu>;

struct Input {
    std::vector<PredictColumn> columns;
    std::size_t rows = 0;

    Request request(Unseen unseen, int threads, Interrupt& interrupt) const {
        return {columns, rows, unseen, threads, interrupt};
    }
};

Input read(const Tree& tree, const AnyTable& table) {
    Input input;
    if (const auto* matrix = std::get_if<StridedArray2>(&table)) {
        input.rows = matrix->shape(0);
        for (std::size_t c = 0; c < matrix->shape(1); ++c) {
            input.columns.push_back(
                {matrix->data() + static_cast<std::ptrdiff_t>(c) * matrix->stride(1), nullptr,
                 matrix->stride(0)});
        }
    } else {
        const auto& columns = std::get<std::vector<AnyColumn>>(table);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            std::visit(
                [&](const auto& array) {
                    if (c == 0) input.rows = array.shape(0);
                    if (array.shape(0) != input.rows)
                        throw std::invalid_argument("columns differ in length");
                    PredictColumn column;
                    if constexpr (std::is_same_v<std::decay_t<decltype(array)>, StridedArray1>) {
                        column.values = array.data();
                    } else {
                        column.codes = array.data();
                    }
                    column.stride = array.stride(0);
                    input.columns.push_back(column);
                },
                columns[c]);
        }
    }
    if (input.columns.size() != tree.columns())
        throw std::invalid_argument("wrong number of columns");
    return input;
}

std::span<const double> costs_of(const Tree& tree, const std::optional<Array1<double>>& costs) {
    if (tree.task() != Task::classification || (costs && !costs_fit(tree.width(), view(*costs)))) {
        throw std::invalid_argument("costs do not fit the classes");
    }
    return costs ? view(*costs) : std::span<const double>{};
}

}  // namespace

void register_tree(nb::module_& m) {
    nb::class_<Tree>(m, "Tree", "A tree as arrays: conditions, nodes, competitors.")
        .def(
            "__init__",
            [](Tree* self, const std::string& task, std::size_t columns, std::size_t width,
               const nb::dict& arrays) {
                new (self) Tree(make_tree(task, columns, width, arrays));
            },
            nb::arg("task"), nb::arg("n_columns"), nb::arg("n_outputs"), nb::arg("arrays"))
        .def("__getstate__",
             [](const Tree& self) {
                 return nb::make_tuple(
                     self.task() == Task::classification ? "classification" : "regression",
                     self.columns(), outputs_of(self), arrays_of(self));
             })
        .def("__setstate__",
             [](Tree& self, const nb::tuple& state) {
                 new (&self) Tree(
                     make_tree(nb::cast<std::string>(state[0]), nb::cast<std::size_t>(state[1]),
                               nb::cast<std::size_t>(state[2]), nb::cast<nb::dict>(state[3])));
             })
        .def("arrays", &arrays_of)
        .def("check", &Tree::check)
        .def_prop_ro("task",
                     [](const Tree& self) {
                         return self.task() == Task::classification ? "classification"
                                                                    : "regression";
                     })
        .def_prop_ro("n_nodes", &Tree::size)
        .def_prop_ro("n_columns", &Tree::columns)
        .def_prop_ro("n_outputs", &outputs_of)
        .def(
            "apply",
            [](const Tree& self, const AnyTable& table, const std::string& unseen, int threads) {
                const Input input = read(self, table);
                Interrupt interrupt(check_signals);
                const Request request =
                    input.request(choose<Unseen>("unseen", unseen), threads, interrupt);
                std::vector<std::int64_t> out(input.rows);
                {
                    const nb::gil_scoped_release release;
                    self.apply(request, out.data());
                }
                return to_numpy(std::move(out));
            },
            nb::arg("table"), nb::arg("unseen") = "missing", nb::arg("threads") = 1)
        .def(
            "predict",
            [](const Tree& self, const AnyTable& table, const std::string& unseen, int threads) {
                const Input input = read(self, table);
                Interrupt interrupt(check_signals);
                const Request request =
                    input.request(choose<Unseen>("unseen", unseen), threads, interrupt);
                const std::size_t outputs = outputs_of(self);
                std::vector<double> out(input.rows * outputs);
                {
                    const nb::gil_scoped_release release;
                    self.predict(request, out.data());
                }
                return to_numpy(std::move(out), {input.rows, outputs});
            },
            nb::arg("table"), nb::arg("unseen") = "missing", nb::arg("threads") = 1)
        .def(
            "accumulate",
            [](const Tree& self, const AnyTable& table, const Matrix& values,
               const WritableMatrix& out, const std::string& unseen, int threads) {
                const Input input = read(self, table);
                Interrupt interrupt(check_signals);
                const Request request =
                    input.request(choose<Unseen>("unseen", unseen), threads, interrupt);
                if (values.shape(0) != self.size() || values.shape(1) != out.shape(1))
                    throw std::invalid_argument("values do not fit the nodes or the scores");
                if (out.shape(0) != input.rows)
                    throw std::invalid_argument("out: wrong number of rows");
                const Scores scores{out.data(), out.shape(1), out.stride(0), out.stride(1)};
                const nb::gil_scoped_release release;
                self.accumulate(request, values.data(), scores);
            },
            nb::arg("table"), nb::arg("values"), nb::arg("out").noconvert(),
            nb::arg("unseen") = "missing", nb::arg("threads") = 1)
        .def(
            "predict_class",
            [](const Tree& self, const AnyTable& table, const std::string& unseen, int threads,
               std::optional<Array1<double>> costs) {
                const Input input = read(self, table);
                Interrupt interrupt(check_signals);
                const Request request =
                    input.request(choose<Unseen>("unseen", unseen), threads, interrupt);
                const std::span<const double> cost_view = costs_of(self, costs);
                std::vector<std::int64_t> out(input.rows);
                {
                    const nb::gil_scoped_release release;
                    self.predict_class(request, cost_view, out.data());
                }
                return to_numpy(std::move(out));
            },
            nb::arg("table"), nb::arg("unseen") = "missing", nb::arg("threads") = 1,
            nb::arg("costs") = nb::none())
        .def(
            "labels",
            [](const Tree& self, std::optional<Array1<double>> costs) {
                const std::span<const double> cost_view = costs_of(self, costs);
                std::vector<std::int64_t> out(self.size());
                for (std::size_t i = 0; i < out.size(); ++i)
                    out[i] = static_cast<std::int64_t>(self.label(i, cost_view));
                return to_numpy(std::move(out));
            },
            nb::arg("costs") = nb::none())
        .def(
            "paths",
            [](const Tree& self, const AnyTable& table, const std::string& unseen) {
                const Input input = read(self, table);
                Interrupt interrupt(check_signals);
                const Request request =
                    input.request(choose<Unseen>("unseen", unseen), 1, interrupt);
                std::vector<std::int64_t> indptr;
                std::vector<std::int64_t> indices;
                {
                    const nb::gil_scoped_release release;
                    self.paths(request, indptr, indices);
                }
                return nb::make_tuple(to_numpy(std::move(indptr)), to_numpy(std::move(indices)));
            },
            nb::arg("table"), nb::arg("unseen") = "missing");
}

}  // namespace ramify::python
