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
#include "python/merge_binding.hpp"
#include "python/problem_binding.hpp"
#include "python/read.hpp"
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

}  // namespace

MergeOptions read_merge(const nb::dict& given) {
    MergeOptions options;
    options.alpha = nb::cast<double>(given["alpha"]);
    options.resplit = nb::cast<double>(given["resplit"]);
    options.exhaustive = nb::cast<bool>(given["exhaustive"]);
    options.test = choose<GroupTest>("test", nb::cast<std::string>(given["test"]),
                                     {{"pearson", GroupTest::pearson},
                                      {"likelihood_ratio", GroupTest::likelihood_ratio},
                                      {"f", GroupTest::f}});
    return options;
}

namespace {

GrowParameters read_parameters(const nb::dict& given) {
    GrowParameters p;
    const auto number = [&](const char* name, auto& to) {
        if (given.contains(name)) to = nb::cast<std::remove_reference_t<decltype(to)>>(given[name]);
    };
    number("max_depth", p.max_depth);
    number("max_leaves", p.max_leaves);
    number("max_expansions", p.max_expansions);
    number("min_samples_split", p.min_samples_split);
    number("min_samples_leaf", p.min_samples_leaf);
    number("min_weight_split", p.min_weight_split);
    number("abandon_small", p.abandon_small);
    number("min_gain", p.min_gain);
    number("multiway", p.multiway);
    number("exact_levels", p.exact_levels);
    number("threads", p.threads);
    number("alpha", p.alpha);
    number("bonferroni", p.bonferroni);
    number("significance", p.significance);
    number("min_second_value", p.min_second_value);
    number("numeric_penalty", p.numeric_penalty);
    number("weigh_gains", p.weigh_gains);
    number("small_branches", p.small_branches);
    if (given.contains("selection")) {
        p.selection =
            choose<Selection>("selection", nb::cast<std::string>(given["selection"]),
                              {{"criterion", Selection::criterion},
                               {"conditional_inference", Selection::conditional_inference},
                               {"chaid", Selection::chaid}});
    }
    if (given.contains("merge")) {
        const auto merge = nb::cast<nb::dict>(given["merge"]);
        p.merges = true;
        p.merge = read_merge(merge);
    }
    p.threads = std::clamp(p.threads, 1, std::max(64, available_threads()));
    p.growth =
        choose<Growth>("growth", nb::cast<std::string>(given["growth"]),
                       {{"depth_first", Growth::depth_first}, {"best_first", Growth::best_first}});
    p.missing = choose<Missing>("missing", nb::cast<std::string>(given["missing"]),
                                {{"fractional", Missing::fractional},
                                 {"separate", Missing::separate},
                                 {"direction", Missing::direction}});
    if (given.contains("missing_gain")) {
        p.missing_gain =
            choose<MissingGain>("missing_gain", nb::cast<std::string>(given["missing_gain"]),
                                {{"known", MissingGain::known}, {"divided", MissingGain::divided}});
    }
    if (given.contains("missing_count")) {
        p.missing_count = choose<MissingCount>(
            "missing_count", nb::cast<std::string>(given["missing_count"]),
            {{"parts", MissingCount::parts}, {"pieces", MissingCount::pieces}});
    }
    return p;
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
                categorical_split == "multiway" || problem.parameters.merges;
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
                if (parameters.contains("seed")) {
                    search_options.seed = nb::cast<std::uint64_t>(parameters["seed"]);
                }
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
            problem.parameters.multiway = multiway || problem.parameters.merges;
            problem.parameters.loss =
                choose<TargetLoss>("criterion", criterion,
                                   {{"squared_error", TargetLoss::squared_error},
                                    {"absolute_error", TargetLoss::absolute_error}});
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
}

}  // namespace ramify::python
