#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "importance/chance_gains.hpp"
#include "python/problem_binding.hpp"
#include "python/register.hpp"

namespace ramify::python {

void register_importance(nb::module_& m) {
    m.def(
        "chance_gains",
        // Only cells are read, not orders, so a tree may have used up the table.
        [](const BoundProblem& bound, const Tree& tree, std::size_t searches, std::uint64_t seed,
           std::optional<Array1<double>> class_weights, const std::string& unseen,
           std::optional<Array1<std::uint8_t>> included) {
            const Problem problem = narrowed(bound.problem, included);
            require_grown_on(problem, tree);
            ChanceOptions options{searches, seed, {}, choose<Unseen>("unseen", unseen)};
            if (class_weights) options.class_weights = view(*class_weights);
            std::vector<double> gains;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                gains = chance_gains(problem, tree, options, interrupt);
            }
            return to_numpy(std::move(gains));
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("searches"), nb::arg("seed"),
        nb::arg("class_weights").none(), nb::arg("unseen"), nb::arg("included") = nb::none());
}

}  // namespace ramify::python
