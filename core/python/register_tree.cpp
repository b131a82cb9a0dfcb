#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

#include "python/arrays.hpp"
#include "python/register.hpp"
#include "tree/tree.hpp"

namespace ramify::python {
namespace {

Tree make_tree(const std::string& task_name, std::size_t columns, std::size_t outputs,
               const nb::dict& given) {
    const Task task = choose<Task>("task", task_name);
    TreeArrays arrays;
    TreeArrays::fields(arrays, [&](const char* name, auto& to) {
        using T = typename std::remove_reference_t<decltype(to)>::value_type;
        if (!given.contains(name)) {
            if (arrays.make_up_for(name)) return;
            throw std::invalid_argument(std::string("array '") + name + "' is missing");
        }
        nb::ndarray<const T, nb::c_contig, nb::device::cpu> array;
        if (!nb::try_cast(given[name], array)) {
            throw std::invalid_argument(std::string("array '") + name +
                                        "' has the wrong type or layout");
        }
        to.assign(array.data(), array.data() + array.size());
    });
    return Tree(task, columns, Tree::width_of(task, outputs), std::move(arrays));
}

nb::dict arrays_of(const Tree& tree) {
    nb::dict result;
    TreeArrays::fields(tree.arrays(), [&](const char* name, const auto& from) {
        if (from.empty() && std::string_view(name) == "spread") return;
        const bool matrix = std::string_view(name) == "value";
        result[name] = matrix ? to_numpy(from, {tree.size(), tree.width()}) : to_numpy(from);
    });
    return result;
}

using AnyColumn =
    std::variant<StridedArray1, nb::ndarray<const std::int32_t, nb::ndim<1>, nb::device::cpu>>;
using AnyTable = std::variant<StridedArray2<double>, StridedArray2<float>, std::vector<AnyColumn>>;

using WritableMatrix = nb::ndarray<double, nb::ndim<2>, nb::device::cpu>;

struct Input {
    std::vector<PredictColumn> columns;
    std::size_t rows = 0;
};

void point_to(const double* data, PredictColumn& column) {
    column.values = data;
}
void point_to(const float* data, PredictColumn& column) {
    column.floats = data;
}
void point_to(const std::int32_t* data, PredictColumn& column) {
    column.codes = data;
}

template <typename T>
void read_matrix(const StridedArray2<T>& matrix, Input& input) {
    input.rows = matrix.shape(0);
    input.columns.resize(matrix.shape(1));
    for (std::size_t c = 0; c < matrix.shape(1); ++c) {
        point_to(matrix.data() + static_cast<std::ptrdiff_t>(c) * matrix.stride(1),
                 input.columns[c]);
        input.columns[c].stride = matrix.stride(0);
    }
}

Input read(const Tree& tree, const AnyTable& table) {
    Input input;
    if (const auto* doubles = std::get_if<StridedArray2<double>>(&table)) {
        read_matrix(*doubles, input);
    } else if (const auto* floats = std::get_if<StridedArray2<float>>(&table)) {
        read_matrix(*floats, input);
    } else {
        const auto& columns = std::get<std::vector<AnyColumn>>(table);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            std::visit(
                [&](const auto& array) {
                    if (c == 0) input.rows = array.shape(0);
                    if (array.shape(0) != input.rows)
                        throw std::invalid_argument("columns differ in length");
                    PredictColumn column;
                    point_to(array.data(), column);
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

// A request to predict some rows, with what it refers to.
struct BoundRequest {
    BoundRequest(const Tree& tree, const AnyTable& table, const std::string& unseen, int threads)
        : input(read(tree, table)),
          interrupt(check_signals),
          request{input.columns, input.rows, choose<Unseen>("unseen", unseen), threads, interrupt} {
    }
    BoundRequest(const BoundRequest&) = delete;

    Input input;
    Interrupt interrupt;
    Request request;
};

// Calls a method of the tree that writes `width` values for every row.
template <typename Value, typename Answer>
std::vector<Value> answers(const BoundRequest& bound, std::size_t width, Answer&& answer) {
    std::vector<Value> out(bound.input.rows * width);
    const nb::gil_scoped_release release;
    answer(bound.request, out.data());
    return out;
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
                 return nb::make_tuple(std::string(name_of(self.task())), self.columns(),
                                       self.outputs(), arrays_of(self));
             })
        .def("__setstate__",
             [](Tree& self, const nb::tuple& state) {
                 new (&self) Tree(
                     make_tree(nb::cast<std::string>(state[0]), nb::cast<std::size_t>(state[1]),
                               nb::cast<std::size_t>(state[2]), nb::cast<nb::dict>(state[3])));
             })
        .def("arrays", &arrays_of)
        .def("check", &Tree::check)
        .def_prop_ro("task", [](const Tree& self) { return std::string(name_of(self.task())); })
        .def_prop_ro("n_nodes", &Tree::size)
        .def_prop_ro("n_columns", &Tree::columns)
        .def_prop_ro("n_outputs", &Tree::outputs)
        .def(
            "apply",
            [](const Tree& self, const AnyTable& table, const std::string& unseen, int threads) {
                const BoundRequest bound(self, table, unseen, threads);
                return to_numpy(answers<std::int64_t>(
                    bound, 1, [&](const Request& r, auto* out) { self.apply(r, out); }));
            },
            nb::arg("table"), nb::arg("unseen") = "missing", nb::arg("threads") = 1)
        .def(
            "predict",
            [](const Tree& self, const AnyTable& table, const std::string& unseen, int threads) {
                const BoundRequest bound(self, table, unseen, threads);
                return to_numpy(
                    answers<double>(bound, self.outputs(),
                                    [&](const Request& r, auto* out) { self.predict(r, out); }),
                    {bound.input.rows, self.outputs()});
            },
            nb::arg("table"), nb::arg("unseen") = "missing", nb::arg("threads") = 1)
        .def(
            "accumulate",
            [](const Tree& self, const AnyTable& table, const Matrix& values,
               const WritableMatrix& out, const std::string& unseen, int threads) {
                const BoundRequest bound(self, table, unseen, threads);
                if (values.shape(0) != self.size() || values.shape(1) != out.shape(1))
                    throw std::invalid_argument("values do not fit the nodes or the scores");
                if (out.shape(0) != bound.input.rows)
                    throw std::invalid_argument("out: wrong number of rows");
                const Scores scores{out.data(), out.shape(1), out.stride(0), out.stride(1)};
                const nb::gil_scoped_release release;
                self.accumulate(bound.request, values.data(), scores);
            },
            nb::arg("table"), nb::arg("values"), nb::arg("out").noconvert(),
            nb::arg("unseen") = "missing", nb::arg("threads") = 1)
        .def(
            "predict_class",
            [](const Tree& self, const AnyTable& table, const std::string& unseen, int threads,
               std::optional<Array1<double>> costs) {
                const BoundRequest bound(self, table, unseen, threads);
                const std::span<const double> matrix = costs_of(self, costs);
                return to_numpy(answers<std::int64_t>(bound, 1, [&](const Request& r, auto* out) {
                    self.predict_class(r, matrix, out);
                }));
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
                const BoundRequest bound(self, table, unseen, 1);
                std::vector<std::int64_t> indptr;
                std::vector<std::int64_t> indices;
                {
                    const nb::gil_scoped_release release;
                    self.paths(bound.request, indptr, indices);
                }
                return nb::make_tuple(to_numpy(std::move(indptr)), to_numpy(std::move(indices)));
            },
            nb::arg("table"), nb::arg("unseen") = "missing");
}

}  // namespace ramify::python
