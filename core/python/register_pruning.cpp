#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "prune/cross_validate.hpp"
#include "prune/cut.hpp"
#include "prune/risk.hpp"
#include "prune/sequence.hpp"
#include "prune/step_folds.hpp"
#include "python/problem_binding.hpp"
#include "python/progress.hpp"
#include "python/register.hpp"

namespace ramify::python {
namespace {

// Best-first keys of trees that are judged by the root mean squared error of their class shares.
constexpr const char* rmse_of_expansions = "best_first_rmse";

std::unique_ptr<Retirement> make_retirement(const std::string& name, bool weigh_gains,
                                            std::span<const double> costs) {
    if (name == "cost_complexity") return std::make_unique<CostComplexity>(false, costs);
    if (name == "cost_complexity_impurity") return std::make_unique<CostComplexity>(true, costs);
    if (name == "best_first" || name == rmse_of_expansions)
        return std::make_unique<BestFirst>(weigh_gains);
    if (name == "critical_value") return std::make_unique<CriticalValue>();
    throw std::invalid_argument("no retirement keys are called '" + name + "'");
}

std::span<const double> costs_of(const Tree& tree, const std::optional<Array1<double>>& costs) {
    if (!costs) return {};
    const auto matrix = view(*costs);
    if (tree.task() != Task::classification || !costs_fit(tree.width(), matrix))
        throw std::invalid_argument("costs do not fit the classes");
    return matrix;
}

Folds read_folds(const Problem& problem, const Array1<std::int32_t>& folds, std::size_t count) {
    Folds result{view(folds), count};
    if (result.of_row.size() != problem.table.rows())
        throw std::invalid_argument("folds: wrong length");
    return result;
}

Judge read_judge(const BoundProblem& bound, const std::string& loss) {
    Judge judge;
    judge.labels = bound.problem.labels;
    judge.target = bound.problem.target;
    judge.costs = bound.costs;
    const bool classes = bound.problem.classes > 0;
    if (loss == "cost" && classes) {
        judge.kind = LossKind::cost;
    } else if (loss == "brier" && classes) {
        judge.kind = LossKind::brier;
    } else if (loss == "squared" && !classes) {
        judge.kind = LossKind::squared;
    } else if (loss == "absolute" && !classes) {
        judge.kind = LossKind::absolute;
    } else {
        throw std::invalid_argument("loss '" + loss + "' does not fit the problem");
    }
    return judge;
}

// A fold that time left out has no losses; those of the others have the same length, at least
// `trees`.
nb::tuple to_python(const FoldLosses& result, std::size_t trees) {
    const std::size_t folds = result.losses.size();
    for (const Losses& losses : result.losses) trees = std::max(trees, losses.sum.size());
    std::vector<double> sum(folds * trees, 0.0);
    std::vector<double> square(folds * trees, 0.0);
    std::vector<double> weight(folds, 0.0);
    std::vector<double> weight_square(folds, 0.0);
    std::vector<std::int64_t> expansions(folds, 0);
    for (std::size_t f = 0; f < folds; ++f) {
        if (result.finished[f] == 0) continue;
        const Losses& losses = result.losses[f];
        std::copy(losses.sum.begin(), losses.sum.end(),
                  sum.begin() + static_cast<std::ptrdiff_t>(f * trees));
        std::copy(losses.square.begin(), losses.square.end(),
                  square.begin() + static_cast<std::ptrdiff_t>(f * trees));
        weight[f] = losses.weight;
        weight_square[f] = losses.weight_square;
        expansions[f] = losses.expansions;
    }
    return nb::make_tuple(to_numpy(std::move(sum), {folds, trees}),
                          to_numpy(std::move(square), {folds, trees}), to_numpy(std::move(weight)),
                          to_numpy(std::move(weight_square)), to_numpy(std::move(expansions)));
}

// The folds of pre-pruning together with what they refer to.
struct BoundStepFolds {
    BoundStepFolds(nb::object bound_problem, Array1<std::int32_t> of_row, std::size_t count,
                   const std::string& loss, const std::string& unseen,
                   std::optional<double> time_limit)
        : kept_alive(bound_problem), interrupt({}, done, time_limit) {
        const auto& bound = nb::cast<const BoundProblem&>(bound_problem);
        const Problem problem = bound.ready();
        const Folds folds = read_folds(problem, of_row, count);
        const Judge judge = read_judge(bound, loss);
        const Unseen policy = choose<Unseen>("unseen", unseen);
        const nb::gil_scoped_release release;
        try {
            growth =
                std::make_unique<StepFolds>(problem, folds, judge, policy, interrupt.interrupt);
        } catch (const TimeUp&) {
            // advance() tells.
        }
    }

    // None once the time is up.
    nb::object advance(std::int64_t expansions) {
        if (!growth) return nb::none();
        FoldLosses result;
        try {
            const nb::gil_scoped_release release;
            result = growth->advance(expansions);
        } catch (const TimeUp&) {
            growth.reset();
            return nb::none();
        }
        return to_python(result, static_cast<std::size_t>(expansions) + 1);
    }

    nb::object kept_alive;
    std::atomic<int> done{0};
    ProgressingInterrupt interrupt;
    std::unique_ptr<StepFolds> growth;
};

}  // namespace

void register_pruning(nb::module_& m) {
    nb::class_<BoundStepFolds>(m, "StepFolds", "The trees of all folds, grown in step.")
        .def(nb::init<nb::object, Array1<std::int32_t>, std::size_t, const std::string&,
                      const std::string&, std::optional<double>>(),
             nb::arg("problem"), nb::arg("folds"), nb::arg("n_folds"), nb::arg("loss"),
             nb::arg("unseen"), nb::arg("time_limit").none())
        .def("advance", &BoundStepFolds::advance, nb::arg("expansions"))
        .def_prop_ro("finished", [](const BoundStepFolds& self) {
            return self.growth && self.growth->finished();
        });
    m.def(
        "pruning_sequence",
        [](const Tree& tree, const std::string& keys, bool weigh_gains,
           std::optional<Array1<double>> costs) {
            const auto matrix = costs_of(tree, costs);
            const auto retirement = make_retirement(keys, weigh_gains, matrix);
            const bool rmse = keys == rmse_of_expansions;
            std::vector<double> key;
            Sequence sequence;
            {
                const nb::gil_scoped_release release;
                key = retirement->keys(tree);
                const Risk kind = rmse ? Risk::brier : Risk::error;
                sequence = sequence_of(tree, *retirement, key, node_risk(tree, kind, matrix));
                if (rmse) {
                    for (double& risk : sequence.risk) risk = std::sqrt(risk);
                }
            }
            std::vector<double> elsewhere = thresholds_elsewhere(sequence, *retirement);
            return nb::make_tuple(
                to_numpy(std::move(key)), to_numpy(std::move(sequence.thresholds)),
                to_numpy(std::move(elsewhere)), to_numpy(std::move(sequence.leaves)),
                to_numpy(std::move(sequence.risk)));
        },
        nb::arg("tree"), nb::arg("keys"), nb::arg("weigh_gains"), nb::arg("costs").none());
    m.def(
        "cut",
        [](const Tree& tree, Array1<double> keys, double threshold) {
            const auto given = view(keys);
            if (given.size() != tree.size()) throw std::invalid_argument("keys: wrong length");
            std::vector<std::uint8_t> retired(tree.size());
            for (std::size_t i = 0; i < tree.size(); ++i) retired[i] = given[i] <= threshold;
            const nb::gil_scoped_release release;
            return cut(tree, retired, {given.begin(), given.end()});
        },
        nb::arg("tree"), nb::arg("keys"), nb::arg("threshold"));
    m.def(
        "cross_validate",
        [](const BoundProblem& bound, const std::string& keys, Array1<std::int32_t> folds,
           std::size_t n_folds, Array1<double> thresholds, const std::string& loss,
           const std::string& unseen, std::optional<double> time_limit,
           std::optional<nb::callable> on_progress) {
            const Problem problem = bound.ready();
            const auto retirement =
                make_retirement(keys, problem.parameters.weigh_gains, bound.costs);
            const Folds given = read_folds(problem, folds, n_folds);
            const Judge judge = read_judge(bound, loss);
            const Unseen policy = choose<Unseen>("unseen", unseen);
            std::atomic<int> done{0};
            FoldLosses result;
            ProgressingInterrupt interrupt(on_progress, done, time_limit);
            {
                const nb::gil_scoped_release release;
                result = cross_validate(problem, given, *retirement, view(thresholds), judge,
                                        policy, interrupt.interrupt, done);
            }
            if (on_progress) (*on_progress)(done.load());
            return to_python(result, thresholds.shape(0));
        },
        nb::arg("problem"), nb::arg("keys"), nb::arg("folds"), nb::arg("n_folds"),
        nb::arg("thresholds"), nb::arg("loss"), nb::arg("unseen"), nb::arg("time_limit").none(),
        nb::arg("on_progress").none());
}

}  // namespace ramify::python
