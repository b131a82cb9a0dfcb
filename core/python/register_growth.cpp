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

#include "criteria/costs.hpp"
#include "grow/problem.hpp"
#include "python/callable_criterion.hpp"
#include "python/problem_binding.hpp"
#include "python/read_fields.hpp"
#include "python/register.hpp"
#include "support/parallel.hpp"

namespace ramify::python {
namespace {

std::string multiway_criteria(const CriterionOptions& options) {
    std::string names;
    for (const std::string& name : criterion_names()) {
        if (!make_criterion(name, options)->binary_only())
            names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

GrowParameters read_parameters(const nb::dict& given) {
    auto parameters = read_fields<GrowParameters>("parameters", given);
    parameters.threads = usable_threads(parameters.threads);
    return parameters;
}

// The names that a parameter takes, of all parameters that take names.
std::vector<std::string> choices(const std::string& parameter) {
    const auto listed_names = [](const auto& names) {
        return std::vector<std::string>(names.begin(), names.end());
    };
    if (parameter == "unseen") return listed_names(names_of(Unseen{}));
    if (parameter == "target_loss") return listed_names(names_of(TargetLoss{}));
    auto names = choices_of_field<GrowParameters>(parameter);
    if (names.empty()) names = choices_of_field<MergeOptions>(parameter);
    if (names.empty()) throw std::invalid_argument("no choices are called '" + parameter + "'");
    return names;
}

bool has_nominal(const Table& table) {
    for (std::size_t c = 0; c < table.size(); ++c) {
        if (table[c].kind == Kind::nominal) return true;
    }
    return false;
}

template <typename Values>
std::span<const double> weights_of(const Table& table, const std::optional<Values>& weights) {
    if (!weights) return {};
    if (weights->shape(0) != table.rows()) throw std::invalid_argument("weights: wrong length");
    return view(*weights);
}

}  // namespace

void register_growth(nb::module_& m) {
    nb::class_<BoundProblem>(m, "Problem", "A table, its target, and how trees grow on it.");
    m.def(
        "classification_problem",
        [](nb::object table, Array1<std::int32_t> labels, std::size_t classes,
           std::optional<Array1<double>> weights, std::variant<std::string, nb::callable> criterion,
           const std::string& categorical_split, double min_support,
           std::optional<Array1<double>> costs, const nb::dict& parameters) {
            auto bound = std::make_unique<BoundProblem>(nb::cast<BoundTable&>(table));
            Problem& problem = bound->problem;
            problem.labels = view(labels);
            problem.classes = classes;
            problem.weights = weights_of(problem.table, weights);
            problem.parameters = read_parameters(parameters);
            bound->keep(table, labels, weights);
            if (problem.labels.size() != problem.table.rows() || classes == 0 ||
                std::any_of(problem.labels.begin(), problem.labels.end(), [&](std::int32_t label) {
                    return label < 0 || static_cast<std::size_t>(label) >= classes;
                })) {
                throw std::invalid_argument("labels do not fit the table or the classes");
            }
            CriterionOptions options{min_support, {}};
            if (costs) {
                const auto matrix = view(*costs);
                if (matrix.empty() || !costs_fit(classes, matrix))
                    throw std::invalid_argument("costs: wrong size");
                bound->costs = regrets(classes, matrix);
                options.costs = mixing_costs(classes, matrix);
            }
            if (const auto* name = std::get_if<std::string>(&criterion)) {
                bound->criterion = make_criterion(*name, options);
            } else {
                bound->criterion =
                    std::make_unique<CallableCriterion>(std::get<nb::callable>(criterion));
                bound->criterion->min_support = min_support;
                problem.parameters.threads = 1;
            }
            problem.parameters.multiway =
                categorical_split == "multiway" || problem.parameters.merges();
            if (problem.parameters.multiway && bound->criterion->binary_only()) {
                throw std::invalid_argument("criterion='" + std::get<std::string>(criterion) +
                                            "' is defined for two branches, not for "
                                            "categorical_split='" +
                                            categorical_split +
                                            "'; for branches of any "
                                            "number choose criterion=" +
                                            multiway_criteria(options) +
                                            ", for two branches categorical_split='auto'");
            }
            if (!problem.parameters.multiway) {
                NominalSearchOptions search_options;
                search_options.seed = problem.parameters.seed;
                bound->nominal = make_nominal_search(categorical_split, search_options);
                if (has_nominal(problem.table)) bound->nominal->require(*bound->criterion, classes);
            }
            problem.criterion = bound->criterion.get();
            problem.nominal = bound->nominal.get();
            return bound;
        },
        nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("criterion"), nb::arg("categorical_split"), nb::arg("min_support"),
        nb::arg("costs").none(), nb::arg("parameters"));
    m.def(
        "regression_problem",
        [](nb::object table, Array1<double> target, std::optional<Array1<double>> weights,
           const std::string& criterion, bool multiway, const nb::dict& parameters) {
            auto bound = std::make_unique<BoundProblem>(nb::cast<BoundTable&>(table));
            Problem& problem = bound->problem;
            problem.target = view(target);
            problem.weights = weights_of(problem.table, weights);
            problem.parameters = read_parameters(parameters);
            bound->keep(table, target, weights);
            if (problem.target.size() != problem.table.rows())
                throw std::invalid_argument("target: wrong length");
            problem.parameters.multiway = multiway || problem.parameters.merges();
            problem.parameters.loss = choose<TargetLoss>("criterion", criterion);
            return bound;
        },
        nb::arg("table"), nb::arg("target"), nb::arg("weights").none(), nb::arg("criterion"),
        nb::arg("multiway"), nb::arg("parameters"));
    m.def(
        "grow",
        [](BoundProblem& bound, std::optional<Array1<std::uint8_t>> included, bool consume,
           std::optional<std::int64_t> max_expansions) {
            Problem problem = bound.ready();
            if (max_expansions) {
                problem.parameters.max_expansions =
                    std::min(problem.parameters.max_expansions, *max_expansions);
            }
            if (included) problem.included = marks(problem, *included);
            if (consume) problem.consumed = &bound.table;
            const nb::gil_scoped_release release;
            Interrupt interrupt(check_signals);
            return grow(problem, interrupt);
        },
        nb::arg("problem"), nb::arg("included") = nb::none(), nb::arg("consume") = false,
        nb::arg("max_expansions") = nb::none());
    m.def("available_threads", &available_threads);
    m.def("grow_parameters", &field_names<GrowParameters>);
    m.def("choices", &choices, nb::arg("parameter"));
}

}  // namespace ramify::python
