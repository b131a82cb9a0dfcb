#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "prune/cut.hpp"
#include "prune/error_based.hpp"
#include "prune/error_limit.hpp"
#include "prune/reduced_error.hpp"
#include "python/problem_binding.hpp"
#include "python/read.hpp"
#include "python/register.hpp"

namespace ramify::python {
namespace {

void require_fit(const Problem& problem, const Tree& tree) {
    const bool same_task = (problem.classes > 0) == (tree.task() == Task::classification);
    if (!same_task || tree.columns() != problem.table.size() ||
        (problem.classes > 0 && tree.width() != problem.classes)) {
        throw std::invalid_argument("the tree was not grown on this problem");
    }
}

void register_error_based(nb::module_& m) {
    m.def(
        "added_errors",
        [](double cases, double errors, double confidence) {
            return ErrorLimit(confidence).added(cases, errors);
        },
        nb::arg("cases"), nb::arg("errors"), nb::arg("confidence"));
    m.def(
        "error_based",
        [](BoundProblem& bound, const Tree& tree, double confidence, bool raising,
           const std::string& unseen, std::optional<Array1<std::uint8_t>> included) {
            Problem problem = bound.ready();
            require_fit(problem, tree);
            if (included) problem.included = marks(problem, *included);
            const ErrorBasedOptions options{confidence, raising, bound.costs, read_unseen(unseen)};
            const nb::gil_scoped_release release;
            Interrupt interrupt(check_signals);
            return error_based(problem, tree, options, interrupt);
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("confidence"), nb::arg("raising"),
        nb::arg("unseen") = "missing", nb::arg("included") = nb::none());
}

void register_reduced_error(nb::module_& m) {
    m.def(
        "reduced_error",
        [](BoundProblem& bound, const Tree& tree, const Array1<std::uint8_t>& held_out,
           std::optional<double> significance, const std::string& unseen) {
            const Problem problem = bound.ready();
            require_fit(problem, tree);
            const auto rows = marks(problem, held_out);
            const nb::gil_scoped_release release;
            Interrupt interrupt(check_signals);
            const HeldOutJudge judged(problem, tree, rows, bound.costs, read_unseen(unseen),
                                      interrupt);
            return cut(tree, judged.retired(significance));
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("held_out"), nb::arg("significance").none(),
        nb::arg("unseen") = "missing");
    // The loss on the rows of `test` of the tree pruned at each of the levels.
    m.def(
        "reduced_error_losses",
        [](BoundProblem& bound, const Tree& tree, const Array1<std::uint8_t>& held_out,
           const Array1<std::uint8_t>& test, const std::vector<std::optional<double>>& levels,
           const std::string& unseen) {
            const Problem problem = bound.ready();
            require_fit(problem, tree);
            const auto rows = marks(problem, held_out);
            const auto tested = marks(problem, test);
            const Unseen policy = read_unseen(unseen);
            std::vector<double> losses;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                const HeldOutJudge judged(problem, tree, rows, bound.costs, policy, interrupt);
                for (const auto& level : levels) {
                    const Tree pruned = cut(tree, judged.retired(level));
                    losses.push_back(
                        prediction_loss(problem, pruned, tested, bound.costs, policy, interrupt));
                }
            }
            return to_numpy(std::move(losses));
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("held_out"), nb::arg("test"),
        nb::arg("levels"), nb::arg("unseen") = "missing");
}

}  // namespace

void register_bottom_up(nb::module_& m) {
    register_error_based(m);
    register_reduced_error(m);
}

}  // namespace ramify::python
