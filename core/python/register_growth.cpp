#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

#include "grow/grow.hpp"
#include "python/callable_criterion.hpp"
#include "python/problem_binding.hpp"
#include "python/read_constraints.hpp"
#include "python/read_fields.hpp"
#include "python/register.hpp"
#include "support/parallel.hpp"

namespace ramify::python {
namespace {

// The names that a parameter accepts.
std::vector<std::string> choices(const std::string& parameter) {
    const auto listed_names = [](const auto& names) {
        return std::vector<std::string>(names.begin(), names.end());
    };
    if (parameter == "unseen") return listed_names(names_of<Unseen>);
    if (parameter == "number_criterion") return number_criteria();
    auto names = choices_of_field<GrowParameters>(parameter);
    if (names.empty()) names = choices_of_field<MergeOptions>(parameter);
    if (names.empty()) throw std::invalid_argument("no choices are called '" + parameter + "'");
    return names;
}

}  // namespace

void register_growth(nb::module_& m) {
    nb::class_<BoundProblem>(m, "Problem", "A table, its target, and how trees grow on it.")
        .def(
            "constrain",
            [](BoundProblem& bound, const GivenConstraints& given) {
                bound.constrain(read_constraints(given, bound.table.size()));
            },
            nb::arg("constraints"))
        .def_ro("passed_over", &BoundProblem::passed_over);
    m.def(
        "classification_problem",
        [](nb::object table, Array1<std::int32_t> labels, std::size_t classes,
           std::optional<Array1<double>> weights, std::variant<std::string, nb::callable> criterion,
           std::string categorical_split, double min_support, std::optional<Array1<double>> costs,
           const nb::dict& parameters) {
            auto bound = std::make_unique<BoundProblem>(table);
            bound->kept_alive.insert(bound->kept_alive.end(),
                                     {nb::cast(labels), nb::cast(weights)});
            ClassificationGiven given{
                view(labels), classes,    view(weights), {}, std::move(categorical_split),
                min_support,  view(costs)};
            if (auto* name = std::get_if<std::string>(&criterion)) {
                given.criterion = std::move(*name);
            } else {
                given.criterion =
                    std::make_unique<CallableCriterion>(std::get<nb::callable>(criterion), false);
            }
            set_up_classification(*bound, std::move(given),
                                  read_fields<GrowParameters>("parameters", parameters));
            return bound;
        },
        nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("criterion"), nb::arg("categorical_split"), nb::arg("min_support"),
        nb::arg("costs").none(), nb::arg("parameters"));
    m.def(
        "regression_problem",
        [](nb::object table, Array1<double> target, std::optional<Array1<double>> weights,
           std::variant<std::string, nb::callable> criterion, bool multiway,
           const nb::dict& parameters, double quantile) {
            auto bound = std::make_unique<BoundProblem>(table);
            bound->kept_alive.insert(bound->kept_alive.end(),
                                     {nb::cast(target), nb::cast(weights)});
            RegressionGiven given{view(target), view(weights), {}, quantile, multiway};
            if (auto* name = std::get_if<std::string>(&criterion)) {
                given.criterion = std::move(*name);
            } else {
                given.criterion =
                    std::make_unique<CallableCriterion>(std::get<nb::callable>(criterion), true);
            }
            set_up_regression(*bound, std::move(given),
                              read_fields<GrowParameters>("parameters", parameters));
            return bound;
        },
        nb::arg("table"), nb::arg("target"), nb::arg("weights").none(), nb::arg("criterion"),
        nb::arg("multiway"), nb::arg("parameters"), nb::arg("quantile") = 0.5);
    m.def(
        "grow",
        [](BoundProblem& bound, std::optional<Array1<std::uint8_t>> included, bool consume,
           std::optional<std::int64_t> max_expansions, const std::optional<std::string>& entries) {
            Problem problem = narrowed(bound.ready(), included);
            if (max_expansions) {
                problem.parameters.max_expansions =
                    std::min(problem.parameters.max_expansions, *max_expansions);
            }
            if (entries) problem.entries = choose<Entries>("entries", *entries);
            if (consume) problem.consumed = &bound.table;
            if (problem.constraints != nullptr) {
                bound.passed_over.assign(problem.constraints->skeleton.size(), 0);
                problem.passed_over = &bound.passed_over;
            }
            const nb::gil_scoped_release release;
            Interrupt interrupt(check_signals);
            return grow(problem, interrupt);
        },
        nb::arg("problem"), nb::arg("included") = nb::none(), nb::arg("consume") = false,
        nb::arg("max_expansions") = nb::none(), nb::arg("entries") = nb::none());
    m.def(
        "smallest_entries",
        [](std::uint64_t rows, std::uint64_t classes) {
            return std::string(name_of(smallest_entries(rows, classes)));
        },
        nb::arg("rows"), nb::arg("classes"));
    m.def("available_threads", &available_threads);
    m.def("grow_parameters", &field_names<GrowParameters>);
    m.def("choices", &choices, nb::arg("parameter"));
}

}  // namespace ramify::python
