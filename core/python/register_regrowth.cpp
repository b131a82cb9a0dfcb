#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <vector>

#include "grow/regrowth.hpp"
#include "python/problem_binding.hpp"
#include "python/register.hpp"

namespace ramify::python {
namespace {

struct BoundRegrowth {
    explicit BoundRegrowth(nb::object problem)
        : bound(nb::cast<BoundProblem&>(problem)), regrowth(bound.ready()), kept(problem) {}

    BoundProblem& bound;
    Regrowth regrowth;
    nb::object kept;
};

}  // namespace

void register_regrowth(nb::module_& m) {
    nb::class_<BoundRegrowth>(m, "Regrowth", "Tree after tree on the table of one problem.")
        .def(nb::init<nb::object>(), nb::arg("problem"))
        .def(
            "grow",
            [](BoundRegrowth& self, const Matrix& weights, std::optional<Matrix> targets) {
                const Problem problem = self.bound.ready();
                const bool regression = problem.classes == 0;
                if (weights.shape(1) != problem.table.rows())
                    throw std::invalid_argument("weights: wrong number of rows");
                if (targets.has_value() != regression)
                    throw std::invalid_argument("targets: regression has them, and needs them");
                if (regression && (targets->shape(0) != weights.shape(0) ||
                                   targets->shape(1) != weights.shape(1))) {
                    throw std::invalid_argument("targets: not of the shape of the weights");
                }
                const std::span<const double> target_view =
                    regression ? std::span<const double>{targets->data(), targets->size()}
                               : std::span<const double>{};
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                return self.regrowth.grow({weights.data(), weights.size()}, target_view, interrupt);
            },
            nb::arg("weights"), nb::arg("targets") = nb::none());
}

}  // namespace ramify::python
