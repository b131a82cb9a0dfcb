#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "prune/cross_validate.hpp"
#include "prune/judge.hpp"
#include "prune/sequence.hpp"
#include "prune/step_folds.hpp"
#include "python/problem_binding.hpp"
#include "python/progress.hpp"
#include "python/register.hpp"

namespace ramify::python {
namespace {

nb::tuple to_python(LossTable table) {
    return nb::make_tuple(to_numpy(std::move(table.sum), {table.folds, table.trees}),
                          to_numpy(std::move(table.square), {table.folds, table.trees}),
                          to_numpy(std::move(table.weight)),
                          to_numpy(std::move(table.weight_square)),
                          to_numpy(std::move(table.expansions)));
}

// The folds of pre-pruning together with what they refer to.
struct BoundStepFolds {
    BoundStepFolds(nb::object bound_problem, Array1<std::int32_t> of_row, std::size_t count,
                   const std::string& loss, const std::string& unseen,
                   std::optional<double> time_limit)
        : kept_alive(bound_problem), interrupt({}, done, time_limit) {
        const auto& bound = nb::cast<const BoundProblem&>(bound_problem);
        const Problem problem = bound.ready();
        const Folds folds(problem, view(of_row), count);
        const Judge judge = judge_of(problem, bound.costs, choose<LossKind>("loss", loss));
        const Unseen policy = choose<Unseen>("unseen", unseen);
        const nb::gil_scoped_release release;
        try {
            growth =
                std::make_unique<StepFolds>(problem, folds, judge, policy, interrupt.interrupt);
        } catch (const TimeUp&) {
            // advance() will give None.
        }
    }

    // Gives None once the time is up.
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
        return to_python(loss_table(result, static_cast<std::size_t>(expansions) + 1));
    }

    nb::object kept_alive;
    std::atomic<int> done{0};
    ProgressingInterrupt interrupt;
    std::unique_ptr<StepFolds> growth;
};

}  // namespace

void register_pruning(nb::module_& m) {
    nb::class_<RetirementInfo>(m, "RetirementInfo", "A way of giving retirement keys.")
        .def_ro("name", &RetirementInfo::name)
        .def_ro("key", &RetirementInfo::key)
        .def_ro("rmse", &RetirementInfo::rmse);
    m.def("retirements", &retirements);
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
            const RetirementOptions options{weigh_gains,
                                            costs ? view(*costs) : std::span<const double>{}};
            KeyedSequence found;
            {
                const nb::gil_scoped_release release;
                found = pruning_sequence(tree, keys, options);
            }
            return nb::make_tuple(to_numpy(std::move(found.keys)),
                                  to_numpy(std::move(found.sequence.thresholds)),
                                  to_numpy(std::move(found.thresholds_of_folds)),
                                  to_numpy(std::move(found.sequence.leaves)),
                                  to_numpy(std::move(found.sequence.risk)));
        },
        nb::arg("tree"), nb::arg("keys"), nb::arg("weigh_gains"), nb::arg("costs").none());
    m.def(
        "cut",
        [](const Tree& tree, Array1<double> keys, double threshold) {
            const nb::gil_scoped_release release;
            return cut_at(tree, view(keys), threshold);
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
                make_retirement(keys, {problem.parameters.weigh_gains, bound.costs});
            const Folds given(problem, view(folds), n_folds);
            const Judge judge = judge_of(problem, bound.costs, choose<LossKind>("loss", loss));
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
            return to_python(loss_table(result, thresholds.shape(0)));
        },
        nb::arg("problem"), nb::arg("keys"), nb::arg("folds"), nb::arg("n_folds"),
        nb::arg("thresholds"), nb::arg("loss"), nb::arg("unseen"), nb::arg("time_limit").none(),
        nb::arg("on_progress").none());
}

}  // namespace ramify::python
