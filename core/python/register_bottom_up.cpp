#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "prune/cut.hpp"
#include "prune/description_length.hpp"
#include "prune/error_based.hpp"
#include "prune/error_limit.hpp"
#include "prune/reduced_error.hpp"
#include "python/held_out_batch.hpp"
#include "python/problem_binding.hpp"
#include "python/progress.hpp"
#include "python/register.hpp"

namespace ramify::python {
namespace {

using Roles = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

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
            const Problem problem = narrowed(bound.ready(), included);
            require_grown_on(problem, tree);
            const ErrorBasedOptions options{confidence, raising, bound.costs,
                                            choose<Unseen>("unseen", unseen)};
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
            require_grown_on(problem, tree);
            const auto rows = narrowed(problem, held_out).included;
            const nb::gil_scoped_release release;
            Interrupt interrupt(check_signals);
            const HeldOutJudge judged(problem, tree, rows, bound.costs,
                                      choose<Unseen>("unseen", unseen), interrupt);
            return cut(tree, judged.retired(significance));
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("held_out"), nb::arg("significance").none(),
        nb::arg("unseen") = "missing");
    // The same from sums over the held-out rows, which were added up batch by batch.
    m.def(
        "held_out_sums",
        [](const Tree& tree, const std::string& loss, std::optional<Array1<double>> costs,
           double centre, const EncodedColumns& columns, Array1<std::uint32_t> rows,
           EncodedTarget target, std::optional<Array1<double>> weights, const std::string& unseen,
           double quantile) {
            const HeldOut held_out = read_held_out(columns, rows, weights, unseen);
            const Judge judge = read_judge(loss, costs, target, quantile);
            HeldOutSums sums;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                sums = held_out_sums(tree, judge, centre, held_out, interrupt);
            }
            return nb::make_tuple(to_numpy(std::move(sums.loss)), to_numpy(std::move(sums.counts)));
        },
        nb::arg("tree"), nb::arg("loss"), nb::arg("costs").none(), nb::arg("centre"),
        nb::arg("columns"), nb::arg("rows"), nb::arg("target"), nb::arg("weights").none(),
        nb::arg("unseen"), nb::arg("quantile"));
    m.def(
        "reduced_error_by_sums",
        [](const Tree& tree, const Array1<double>& loss, const Array1<double>& counts,
           std::optional<double> significance) {
            const auto copied = [](const Array1<double>& array) {
                return std::vector<double>(array.data(), array.data() + array.shape(0));
            };
            const HeldOutJudge judged(tree, {copied(loss), copied(counts)});
            return cut(tree, judged.retired(significance));
        },
        nb::arg("tree"), nb::arg("loss"), nb::arg("counts"), nb::arg("significance").none());
    // The losses that a level is chosen by in cross-validation: one row for every finished fold.
    m.def(
        "reduced_error_levels",
        [](BoundProblem& bound, const Roles& given,
           const std::vector<std::optional<double>>& levels, const std::string& unseen,
           std::optional<double> time_limit, std::optional<nb::callable> on_progress) {
            const Problem problem = bound.ready();
            if (given.shape(1) != problem.table.rows())
                throw std::invalid_argument("roles: wrong length");
            const std::vector<LevelRole> roles = level_roles({given.data(), given.size()});
            const Unseen policy = choose<Unseen>("unseen", unseen);
            std::atomic<int> done{0};
            LevelLosses result;
            ProgressingInterrupt interrupt(on_progress, done, time_limit);
            {
                const nb::gil_scoped_release release;
                result = losses_of_levels(problem, roles, levels, bound.costs, policy,
                                          interrupt.interrupt, done);
            }
            if (on_progress) (*on_progress)(done.load());
            std::vector<double> losses = result.of_finished();
            const std::size_t finished = losses.size() / levels.size();
            return to_numpy(std::move(losses), {finished, levels.size()});
        },
        nb::arg("problem"), nb::arg("roles"), nb::arg("levels"), nb::arg("unseen"),
        nb::arg("time_limit").none(), nb::arg("on_progress").none());
}

void register_description_length(nb::module_& m) {
    // Gives the pruned tree, and for every node of the grown tree its bits as a leaf and those of
    // its question.
    m.def(
        "description_length",
        [](BoundProblem& bound, const Tree& tree, const std::string& code, double structure,
           double precision, double range, const std::string& unseen) {
            const Problem problem = bound.ready();
            require_grown_on(problem, tree);
            const DescriptionOptions options{choose<LeafCode>("code", code), precision, range,
                                             choose<Unseen>("unseen", unseen)};
            DescriptionLengths lengths;
            std::optional<Tree> pruned;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                lengths = description_lengths(problem, tree, options, interrupt);
                pruned = cut(tree, retired_by_length(tree, lengths, structure));
            }
            return nb::make_tuple(std::move(*pruned), to_numpy(std::move(lengths.as_leaf)),
                                  to_numpy(std::move(lengths.question)));
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("code"), nb::arg("structure"),
        nb::arg("precision"), nb::arg("range"), nb::arg("unseen") = "missing");
}

}  // namespace

void register_bottom_up(nb::module_& m) {
    register_error_based(m);
    register_reduced_error(m);
    register_description_length(m);
}

}  // namespace ramify::python
