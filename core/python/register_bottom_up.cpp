#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
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
#include "prune/error_pruner.hpp"
#include "prune/reduced_error.hpp"
#include "python/held_out_batch.hpp"
#include "python/problem_binding.hpp"
#include "python/progress.hpp"
#include "python/register.hpp"

namespace ramify::python {
namespace {

using Roles = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Error-based pruning step by step, for rows that are read in scans.
struct BoundErrorPruner {
    BoundErrorPruner(nb::object given_problem, nb::object given_tree, double confidence,
                     const std::string& unseen_levels)
        : problem(given_problem),
          tree(given_tree),
          unseen(choose<Unseen>("unseen", unseen_levels)),
          pruner(nb::cast<const Tree&>(tree), {confidence, true, bound().costs, unseen}) {}

    BoundProblem& bound() const { return nb::cast<BoundProblem&>(problem); }
    const Criterion& criterion() const { return *bound().problem.criterion; }
    std::span<const double> value(const Array1<double>& given) const {
        const std::size_t width = nb::cast<const Tree&>(tree).width();
        if (given.shape(0) != width) throw std::invalid_argument("value: one number per class");
        return view(given);
    }
    // Kind, attribute, threshold, branch of missing values, branches of levels, children, rows.
    nb::tuple node(std::int32_t at) const {
        const Reshaped& nodes = pruner.nodes();
        const TreeArrays& a = nb::cast<const Tree&>(tree).arrays();
        const auto& from = nodes[checked(at)];
        if (nodes.leaf(at))
            return nb::make_tuple(0, -1, 0.0, -1, nb::list(), nb::list(), from.rows);
        const auto i = static_cast<std::size_t>(from.origin);
        auto levels = from.levels;
        for (auto l = static_cast<std::size_t>(a.levels.start[i]);
             l < static_cast<std::size_t>(a.levels.start[i + 1]); ++l) {
            levels.emplace_back(a.levels.code[l], a.levels.branch[l]);
        }
        return nb::make_tuple(static_cast<int>(a.kind[i]), a.attribute[i], a.threshold[i],
                              a.missing_to[i], levels, from.children, from.rows);
    }
    std::int32_t checked(std::int32_t node) const {
        if (node < 0 || static_cast<std::size_t>(node) >= pruner.nodes().size())
            throw std::invalid_argument("there is no such node");
        return node;
    }

    nb::object problem, tree;
    Unseen unseen;
    ErrorPruner pruner;
};

void register_error_pruner(nb::module_& m) {
    nb::class_<BoundErrorPruner>(m, "ErrorPruner", "Error-based pruning, step by step.")
        .def(nb::init<nb::object, nb::object, double, const std::string&>(), nb::arg("problem"),
             nb::arg("tree"), nb::arg("confidence"), nb::arg("unseen"))
        .def("node", &BoundErrorPruner::node, nb::arg("node"))
        .def(
            "proportion",
            [](const BoundErrorPruner& self, std::int32_t node) {
                return self.pruner.nodes()[self.checked(node)].proportion;
            },
            nb::arg("node"))
        .def(
            "value",
            [](const BoundErrorPruner& self, std::int32_t node) {
                const auto value = self.pruner.nodes().value(self.checked(node));
                return to_numpy(std::vector<double>(value.begin(), value.end()));
            },
            nb::arg("node"))
        .def(
            "expected",
            [](const BoundErrorPruner& self, const Array1<double>& value) {
                return self.pruner.expected(self.value(value));
            },
            nb::arg("value"))
        .def(
            "heaviest",
            [](const BoundErrorPruner& self, std::int32_t node) {
                return self.pruner.heaviest(self.checked(node));
            },
            nb::arg("node"))
        .def(
            "forced",
            [](const BoundErrorPruner& self, std::int32_t node) {
                return self.pruner.nodes().forced(self.checked(node));
            },
            nb::arg("node"))
        // True if the heaviest branch has taken the place of the node.
        .def(
            "decide",
            [](BoundErrorPruner& self, std::int32_t node, double raised) {
                return self.pruner.decide(self.checked(node), raised) ==
                       ErrorPruner::Outcome::raised;
            },
            nb::arg("node"), nb::arg("raised"))
        .def(
            "set_rows",
            [](BoundErrorPruner& self, std::int32_t node, std::int64_t rows,
               const Array1<double>& value, double proportion) {
                Reshaped& nodes = self.pruner.nodes();
                nodes.set_rows(self.checked(node), rows, self.value(value), self.criterion());
                nodes.set_proportion(node, proportion);
            },
            nb::arg("node"), nb::arg("rows"), nb::arg("value"), nb::arg("proportion"))
        .def(
            "add_branch",
            [](BoundErrorPruner& self, std::int32_t node, std::int32_t code) {
                Reshaped& nodes = self.pruner.nodes();
                nodes.add_branch(self.checked(node), code);
                return nodes[node].children.back();
            },
            nb::arg("node"), nb::arg("code"))
        .def(
            "prune_below",
            [](BoundErrorPruner& self, std::int32_t node, const BoundProblem& rows,
               const std::optional<Array1<double>>& fractions, std::size_t grain_rows) {
                const Problem problem = rows.ready();
                if (fractions && fractions->shape(0) != problem.table.rows())
                    throw std::invalid_argument("fractions: wrong number of rows");
                self.checked(node);
                const auto parts = view(fractions).value_or(std::span<const double>{});
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                RowDivider divider(problem, self.pruner.nodes(), self.unseen, grain_rows);
                self.pruner.prune(node, divider.all_rows(parts), &divider, *problem.criterion,
                                  interrupt);
            },
            nb::arg("node"), nb::arg("problem"), nb::arg("fractions").none(), nb::arg("grain_rows"))
        .def("tree", [](const BoundErrorPruner& self) { return self.pruner.nodes().tree(); });
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
            const DescriptionOptions options{choose<LeafCode>("code", code), precision, range};
            const Unseen policy = choose<Unseen>("unseen", unseen);
            DescriptionLengths lengths;
            std::optional<Tree> pruned;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                const NodeValues values = count_values(problem, tree, policy, interrupt);
                lengths = description_lengths(problem, tree, options, values);
                pruned = cut(tree, retired_by_length(tree, lengths, structure));
            }
            return nb::make_tuple(std::move(*pruned), to_numpy(std::move(lengths.as_leaf)),
                                  to_numpy(std::move(lengths.question)));
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("code"), nb::arg("structure"),
        nb::arg("precision"), nb::arg("range"), nb::arg("unseen") = "missing");
    // The same for rows that are read in scans: what is counted of the values is given.
    m.def(
        "values_below",
        [](BoundProblem& bound, const Tree& tree, std::int32_t top,
           const std::optional<Array1<double>>& fractions, const std::string& unseen) {
            const Problem problem = bound.ready();
            if (top < 0 || static_cast<std::size_t>(top) >= tree.size())
                throw std::invalid_argument("there is no such node");
            if (fractions && fractions->shape(0) != problem.table.rows())
                throw std::invalid_argument("fractions: wrong number of rows");
            const auto parts = view(fractions).value_or(std::span<const double>{});
            const Unseen policy = choose<Unseen>("unseen", unseen);
            NodeValues values(tree.size());
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                count_values_below(problem, tree, top, parts, policy, values, interrupt);
            }
            return nb::make_tuple(to_numpy(std::move(values.distinct)),
                                  to_numpy(std::move(values.holes)));
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("top"), nb::arg("fractions").none(),
        nb::arg("unseen"));
    m.def(
        "description_length_by_values",
        [](BoundProblem& bound, const Tree& tree, const std::string& code, double structure,
           double precision, double range, const Array1<std::int64_t>& distinct,
           const Array1<std::uint8_t>& holes, std::size_t varying) {
            NodeValues values(0);
            values.distinct.assign(distinct.data(), distinct.data() + distinct.shape(0));
            values.holes.assign(holes.data(), holes.data() + holes.shape(0));
            values.varying = varying;
            const DescriptionOptions options{choose<LeafCode>("code", code), precision, range};
            const DescriptionLengths lengths =
                description_lengths(bound.problem, tree, options, values);
            return cut(tree, retired_by_length(tree, lengths, structure));
        },
        nb::arg("problem"), nb::arg("tree"), nb::arg("code"), nb::arg("structure"),
        nb::arg("precision"), nb::arg("range"), nb::arg("distinct"), nb::arg("holes"),
        nb::arg("varying"));
}

}  // namespace

void register_bottom_up(nb::module_& m) {
    register_error_based(m);
    register_error_pruner(m);
    register_reduced_error(m);
    register_description_length(m);
}

}  // namespace ramify::python
