#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "python/register.hpp"
#include "python/table_binding.hpp"
#include "support/parallel.hpp"

namespace ramify::python {
namespace {

void add_numeric(BoundTable& self, const std::vector<StridedNumbers>& columns, int threads) {
    const nb::gil_scoped_release release;
    Interrupt interrupt(check_signals);
    self.table.add_numeric(columns, usable_threads(threads), interrupt);
}

template <typename T>
void add_matrix(BoundTable& self, StridedArray2<T> matrix, int threads) {
    if (matrix.shape(0) != self.table.rows()) throw std::invalid_argument("wrong number of rows");
    std::vector<StridedNumbers> columns;
    for (std::size_t c = 0; c < matrix.shape(1); ++c) {
        columns.emplace_back(matrix.data() + static_cast<std::ptrdiff_t>(c) * matrix.stride(1),
                             matrix.stride(0));
    }
    self.kept_alive.push_back(nb::cast(matrix));
    add_numeric(self, columns, threads);
}

}  // namespace

void register_table(nb::module_& m) {
    nb::class_<BoundTable>(m, "Table",
                           "Columns encoded for growing: rows in the order of their values.")
        .def(nb::init<std::size_t>(), nb::arg("rows"))
        .def("add_matrix", add_matrix<double>, nb::arg("matrix"), nb::arg("threads") = 1)
        .def("add_matrix", add_matrix<float>, nb::arg("matrix"), nb::arg("threads") = 1)
        .def(
            "add_numeric",
            [](BoundTable& self, const std::vector<StridedArray1>& arrays, int threads) {
                std::vector<StridedNumbers> columns;
                for (const auto& array : arrays) {
                    if (array.shape(0) != self.table.rows())
                        throw std::invalid_argument("wrong number of rows");
                    columns.emplace_back(array.data(), array.stride(0));
                    self.kept_alive.push_back(nb::cast(array));
                }
                add_numeric(self, columns, threads);
            },
            nb::arg("columns"), nb::arg("threads") = 1)
        .def(
            "add_codes",
            [](BoundTable& self, const std::string& kind, Array1<std::int32_t> codes,
               std::size_t levels) {
                const auto given = view(codes);
                self.table.add_codes(choose<Kind>("kind", kind), {given.begin(), given.end()},
                                     levels);
            },
            nb::arg("kind"), nb::arg("codes"), nb::arg("levels"))
        .def_prop_ro("rows", [](const BoundTable& self) { return self.table.rows(); })
        .def_prop_ro("columns", [](const BoundTable& self) { return self.table.size(); })
        .def_prop_ro("nbytes", [](const BoundTable& self) { return self.table.bytes(); });
}

}  // namespace ramify::python
