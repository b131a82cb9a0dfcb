#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "grow/grow.hpp"
#include "prune/cross_validate.hpp"
#include "prune/held_out.hpp"
#include "prune/retirement.hpp"
#include "python/held_out_batch.hpp"
#include "python/problem_binding.hpp"
#include "python/register.hpp"
#include "stream/scan.hpp"
#include "stream/top.hpp"
#include "support/free_memory.hpp"

namespace ramify::python {
namespace {

constexpr std::span<const double> no_costs{};
using Cells = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using AnyStreamColumn = std::variant<Array1<double>, Array1<float>, Array1<std::int32_t>>;

// How rows are counted, and what all scans of a tree share. Field by field as Python has it.
struct StreamForm {
    std::size_t classes;
    bool weighted;
    double unit;
    ChannelSizes sizes;
    double centre;
    double mean;
    DevianceKind deviance;
    bool ranks;
    Pieces pieces;

    Channels channels() const { return {classes, weighted, unit, sizes, pieces}; }
    ScanOptions options() const {
        return {channels(), centre, deviance, mean, sizes.deviance, ranks};
    }
};

StreamForm read_form(const nb::dict& given) {
    const auto whole = [&](const char* name) { return nb::cast<int>(given[name]); };
    StreamForm form{};
    form.classes = nb::cast<std::size_t>(given["classes"]);
    form.weighted = nb::cast<bool>(given["weighted"]);
    form.unit = nb::cast<double>(given["unit"]);
    form.sizes = {whole("weight_size"), whole("product_size"), whole("square_size"),
                  whole("deviance_size")};
    form.centre = nb::cast<double>(given["centre"]);
    form.mean = nb::cast<double>(given["mean"]);
    const auto deviance = nb::cast<std::string>(given["deviance"]);
    form.deviance = deviance == "poisson" ? DevianceKind::poisson
                    : deviance == "gamma" ? DevianceKind::gamma
                                          : DevianceKind::none;
    form.ranks = nb::cast<bool>(given["ranks"]);
    const auto least = nb::cast<double>(given["least_piece"]);
    form.pieces = {least > 0.0, least};
    return form;
}

// Kind, attribute, threshold, branch of missing values, branch of every level, children, weights of
// the known rows, slot.
using GivenRoute = std::tuple<int, std::int32_t, double, std::int32_t, std::vector<std::int32_t>,
                              std::vector<std::int32_t>, std::vector<double>, std::int32_t>;

std::vector<RouteNode> read_routes(const std::vector<GivenRoute>& given) {
    std::vector<RouteNode> routes;
    for (const auto& [kind, attribute, threshold, missing_to, levels, children, weights, slot] :
         given) {
        RouteNode node{static_cast<ConditionKind>(kind),
                       attribute,
                       threshold,
                       missing_to,
                       levels,
                       children,
                       weights,
                       slot};
        for (const std::int32_t child : children) {
            if (child <= static_cast<std::int32_t>(routes.size()) ||
                child >= static_cast<std::int32_t>(given.size()))
                throw std::invalid_argument("routes: a child must come after its parent");
        }
        const bool leaf = node.kind == ConditionKind::leaf;
        if (leaf != children.empty() || weights.size() != children.size() ||
            missing_to >= static_cast<std::int32_t>(children.size()) || (!leaf && attribute < 0))
            throw std::invalid_argument("routes: a node does not fit together");
        for (const std::int32_t branch : levels) {
            if (branch >= static_cast<std::int32_t>(children.size()))
                throw std::invalid_argument("routes: a level goes to no branch");
        }
        routes.push_back(std::move(node));
    }
    return routes;
}

using GivenMarks = std::vector<std::optional<Array1<std::uint8_t>>>;
// Whether cells, rows and the counts of the target are wanted; per column marks of opened cells,
// shifts, own edges, and marks of the cells between these that are counted.
using GivenSlot = std::tuple<bool, bool, bool, GivenMarks, std::vector<std::uint8_t>,
                             std::vector<std::optional<Array1<double>>>, GivenMarks>;

// Per column, its edges and whether they have cells of their own, or its number of levels.
using GivenColumns = std::vector<std::variant<std::pair<Array1<double>, bool>, std::size_t>>;

struct BoundColumns {
    explicit BoundColumns(const GivenColumns& given) {
        auto made = std::make_shared<std::vector<ScanColumn>>();
        for (const auto& one : given) {
            ScanColumn& column = made->emplace_back();
            if (const auto* given_edges = std::get_if<std::pair<Array1<double>, bool>>(&one)) {
                const auto& [edges, edge_cells] = *given_edges;
                column.edges = Edges({edges.data(), edges.data() + edges.shape(0)}, edge_cells);
            } else {
                column.levels = std::max<std::size_t>(1, std::get<std::size_t>(one));
            }
        }
        columns = std::move(made);
    }

    ScanColumns columns;
};

struct BoundScan {
    BoundScan(const std::vector<GivenRoute>& routes, std::size_t grain_rows, double least_fraction,
              const BoundColumns& columns, const std::vector<GivenSlot>& slots,
              const nb::dict& form)
        : scan(Routes(read_routes(routes), grain_rows, least_fraction), columns.columns,
               read_slots(slots), read_form(form).options()) {
        for (const ScanColumn& column : *columns.columns) coded.push_back(column.levels > 0);
    }

    static std::vector<ScanSlot> read_slots(const std::vector<GivenSlot>& given) {
        std::vector<ScanSlot> slots;
        const auto marks_of = [](const GivenMarks& columns) {
            std::vector<std::vector<std::uint8_t>> marks(columns.size());
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (columns[c])
                    marks[c].assign(columns[c]->data(), columns[c]->data() + columns[c]->shape(0));
            }
            return marks;
        };
        for (const auto& [cells, rows, targets, opened, shifts, edges, within] : given) {
            ScanSlot& slot = slots.emplace_back();
            slot.cells = cells;
            slot.rows = rows;
            slot.targets = targets;
            slot.shifts = shifts;
            slot.opened = marks_of(opened);
            slot.within = marks_of(within);
            for (const auto& own : edges) {
                slot.edges.emplace_back();
                if (own)
                    slot.edges.back() = Edges({own->data(), own->data() + own->shape(0)}, false);
            }
        }
        return slots;
    }

    nb::list add(const std::vector<std::optional<AnyStreamColumn>>& given, std::size_t rows,
                 const std::variant<Array1<std::int32_t>, Array1<double>>& target,
                 const std::optional<Array1<double>>& weights, int threads) {
        std::vector<StreamColumn> columns;
        if (given.size() != coded.size()) throw std::invalid_argument("wrong number of columns");
        for (std::size_t c = 0; c < given.size(); ++c) {
            StreamColumn& column = columns.emplace_back();
            if (!given[c]) {
                if (scan.uses(c)) throw std::invalid_argument("a column that is used is not given");
                continue;
            }
            std::visit(
                [&](const auto& array) {
                    if (array.shape(0) != rows)
                        throw std::invalid_argument("columns differ in length");
                    using Value = std::remove_cvref_t<decltype(*array.data())>;
                    if constexpr (std::is_same_v<Value, double>) column.doubles = array.data();
                    if constexpr (std::is_same_v<Value, float>) column.floats = array.data();
                    if constexpr (std::is_same_v<Value, std::int32_t>) column.codes = array.data();
                },
                *given[c]);
            if ((column.codes != nullptr) != coded[c])
                throw std::invalid_argument("a column is not of its kind");
        }
        ScanTarget to;
        const std::size_t classes = scan.channels().classes();
        if (const auto* labels = std::get_if<Array1<std::int32_t>>(&target)) {
            to.labels = view(*labels);
            for (const std::int32_t label : to.labels) {
                if (label < 0 || static_cast<std::size_t>(label) >= classes)
                    throw std::invalid_argument("a label is no class");
            }
        } else {
            to.numbers = view(std::get<Array1<double>>(target));
        }
        if ((classes > 0 ? to.labels.size() : to.numbers.size()) != rows ||
            (weights && weights->shape(0) != rows))
            throw std::invalid_argument("target or weights: wrong number of rows");
        if (weights) to.weights = view(*weights);
        std::vector<Scan::Picked> picked;
        {
            const nb::gil_scoped_release release;
            Interrupt interrupt(check_signals);
            picked = scan.add(columns, rows, to, threads, interrupt);
        }
        nb::list result;
        for (std::size_t s = 0; s < picked.size(); ++s) {
            if (picked[s].rows.empty()) continue;
            result.append(nb::make_tuple(s, to_numpy(std::move(picked[s].rows)),
                                         to_numpy(std::move(picked[s].parts))));
        }
        return result;
    }

    Scan scan;
    std::vector<bool> coded;
};

struct BoundTop {
    BoundTop(nb::object problem, const nb::dict& form, double all_weight, std::size_t grain_rows,
             bool divides, bool competitors,
             const std::optional<std::pair<Array1<double>, bool>>& targets)
        : kept(problem) {
        const StreamForm read = read_form(form);
        Problem given = nb::cast<BoundProblem&>(problem).problem;
        if (given.constraints != nullptr) passed_over.assign(given.constraints->skeleton.size(), 0);
        given.passed_over = &passed_over;
        Edges of_targets;
        if (targets)
            of_targets =
                Edges({targets->first.data(), targets->first.data() + targets->first.shape(0)},
                      targets->second);
        boxes = of_targets.cells(0);
        top =
            Top::make(given, {read.channels(), read.centre, read.mean, read.sizes.deviance,
                              std::move(of_targets), all_weight, grain_rows, divides, competitors});
        width = read.channels().count();
    }

    // Of boxes: the targets of the values, marks of the cells of which all values are known, the
    // first and the last cell with cuts, and the side of the rows without a value.
    using GivenBoxes = std::tuple<std::optional<Array1<double>>, Array1<std::uint8_t>, std::size_t,
                                  std::size_t, int>;

    // Cells, edges, marks of the cells that were opened, and their values with their channels.
    using Given =
        std::tuple<Cells, std::optional<Array1<double>>, std::optional<Array1<std::uint8_t>>,
                   std::optional<Array1<double>>, std::optional<Cells>, std::optional<GivenBoxes>>;

    ColumnCounts read(const Given& given) const {
        const auto& [cells, edges, opened, values, channels, given_boxes] = given;
        ColumnCounts column;
        column.cells = {cells.data(), cells.size()};
        if (cells.shape(1) != (given_boxes ? boxes * width : width))
            throw std::invalid_argument("cells: wrong channels");
        if (given_boxes) {
            const auto& [targets, whole, first, last, side] = *given_boxes;
            if (targets) column.targets = view(*targets);
            column.whole = view(whole);
            column.first = first;
            column.last = last;
            column.missing_side = static_cast<MissingSide>(side);
            if (column.targets.size() != (values ? values->shape(0) : 0))
                throw std::invalid_argument("targets: one for each value");
        }
        if (edges) {
            column.edges = view(*edges);
            const std::size_t count = column.edges.size();
            column.edge_cells = cells.shape(0) == 2 * count + 2;
            if (!column.edge_cells && cells.shape(0) != count + 2)
                throw std::invalid_argument("cells: wrong number for these edges");
        }
        if (opened) column.opened = view(*opened);
        const std::size_t marks = given_boxes ? cells.shape(0) * boxes : cells.shape(0) - 1;
        if (opened && opened->shape(0) != marks)
            throw std::invalid_argument("opened: wrong number of cells");
        if (values) column.values = view(*values);
        if (channels) column.channels = {channels->data(), channels->size()};
        if (column.channels.size() != column.values.size() * width)
            throw std::invalid_argument("values: wrong channels");
        return column;
    }
    std::vector<ColumnCounts> read(const std::vector<Given>& given) const {
        std::vector<ColumnCounts> columns;
        for (const Given& one : given) columns.push_back(read(one));
        return columns;
    }

    std::vector<std::uint8_t> passed_over;  // see Problem
    std::unique_ptr<Top> top;
    std::size_t width = 0;
    std::size_t boxes = 1;
    nb::object kept;
};

SlotTotals read_totals(std::int64_t rows, const Array1<std::int64_t>& channels, double low,
                       double high, const Array1<std::int64_t>& deviance) {
    SlotTotals totals;
    totals.rows = rows;
    totals.channels.assign(channels.data(), channels.data() + channels.shape(0));
    totals.low = low;
    totals.high = high;
    if (deviance.shape(0) != Fixed::limbs) throw std::invalid_argument("deviance: two limbs");
    std::copy_n(deviance.data(), Fixed::limbs, totals.deviance);
    return totals;
}

}  // namespace

void register_stream(nb::module_& m) {
    m.def("give_back_free_memory", &give_back_free_memory, nb::call_guard<nb::gil_scoped_release>(),
          "Give memory that was freed back to the system.");
    nb::class_<BoundColumns>(m, "StreamColumns", "How columns are counted: edges, or levels.")
        .def(nb::init<const GivenColumns&>(), nb::arg("columns"));
    nb::class_<BoundScan>(m, "StreamScan", "Counts, values and rows of open nodes, from batches.")
        .def(nb::init<const std::vector<GivenRoute>&, std::size_t, double, const BoundColumns&,
                      const std::vector<GivenSlot>&, const nb::dict&>(),
             nb::arg("routes"), nb::arg("grain_rows"), nb::arg("least_fraction"),
             nb::arg("columns"), nb::arg("slots"), nb::arg("form"))
        .def("add", &BoundScan::add, nb::arg("columns"), nb::arg("rows"), nb::arg("target"),
             nb::arg("weights").none(), nb::arg("threads") = 1)
        .def(
            "totals",
            [](const BoundScan& self, std::size_t slot) {
                const SlotTotals& totals = self.scan.totals(slot);
                return nb::make_tuple(totals.rows,
                                      to_numpy(std::vector<std::int64_t>(totals.channels)),
                                      totals.low, totals.high,
                                      to_numpy(std::vector<std::int64_t>(
                                          totals.deviance, totals.deviance + Fixed::limbs)));
            },
            nb::arg("slot"))
        .def(
            "cells",
            [](BoundScan& self, std::size_t slot, std::size_t column) {
                const std::size_t width = self.scan.channels().count() * self.scan.boxes(column);
                const auto give = [&](auto cells) {
                    const std::size_t count = cells.size() / width;
                    return to_numpy(std::move(cells), {count, width});
                };
                return self.scan.small() ? give(self.scan.take_small_cells(slot, column))
                                         : give(self.scan.take_cells(slot, column));
            },
            nb::arg("slot"), nb::arg("column"))
        .def(
            "values",
            [](BoundScan& self, std::size_t slot, std::size_t column) {
                OpenedValues found = self.scan.take_values(slot, column);
                const std::size_t width = self.scan.channels().count();
                const std::size_t count = found.values.size();
                return nb::make_tuple(to_numpy(std::move(found.values)),
                                      to_numpy(std::move(found.channels), {count, width}),
                                      to_numpy(std::move(found.targets)));
            },
            nb::arg("slot"), nb::arg("column"));

    nb::class_<BoundTop>(m, "StreamTop", "The top of a tree that is grown from counts.")
        .def(nb::init<nb::object, const nb::dict&, double, std::size_t, bool, bool,
                      const std::optional<std::pair<Array1<double>, bool>>&>(),
             nb::arg("problem"), nb::arg("form"), nb::arg("all_weight"), nb::arg("grain_rows"),
             nb::arg("divides"), nb::arg("competitors") = true, nb::arg("targets") = nb::none())
        .def_prop_ro("surveys", [](const BoundTop& self) { return self.top->surveys(); })
        .def_ro("passed_over", &BoundTop::passed_over)
        .def_prop_ro("least_side", [](const BoundTop& self) { return self.top->least_side(); })
        .def("__len__", [](const BoundTop& self) { return self.top->size(); })
        .def(
            "info",
            [](const BoundTop& self, std::size_t node) {
                constexpr const char* names[] = {"counted", "open",    "leaf",
                                                 "split",   "grafted", "gone"};
                const TopNodeInfo info = self.top->info(node);
                return nb::make_tuple(names[static_cast<std::size_t>(info.state)], info.depth,
                                      info.most_rows, info.divided, info.children);
            },
            nb::arg("node"))
        .def(
            "count",
            [](BoundTop& self, std::size_t node, std::int64_t rows,
               const Array1<std::int64_t>& channels, double low, double high,
               const Array1<std::int64_t>& deviance,
               const std::optional<BoundTop::Given>& targets) {
                if (channels.shape(0) != self.width)
                    throw std::invalid_argument("channels: wrong number");
                const ColumnCounts of_targets = targets ? self.read(*targets) : ColumnCounts{};
                self.top->count(node, read_totals(rows, channels, low, high, deviance), of_targets);
            },
            nb::arg("node"), nb::arg("rows"), nb::arg("channels"), nb::arg("low"), nb::arg("high"),
            nb::arg("deviance"), nb::arg("targets") = nb::none())
        .def(
            "open_cells",
            [](const BoundTop& self, std::size_t node, const std::vector<BoundTop::Given>& given,
               int threads) {
                const std::vector<ColumnCounts> columns = self.read(given);
                std::vector<std::vector<std::uint8_t>> marked;
                {
                    const nb::gil_scoped_release release;
                    Interrupt interrupt(check_signals);
                    marked = self.top->open_cells(node, columns, threads, interrupt);
                }
                nb::list result;
                for (auto& one : marked) result.append(to_numpy(std::move(one)));
                return result;
            },
            nb::arg("node"), nb::arg("columns"), nb::arg("threads"))
        .def(
            "survey_cells",
            [](BoundTop& self, std::size_t node, const std::vector<BoundTop::Given>& given) {
                nb::list result;
                for (auto& one : self.top->survey_cells(node, self.read(given)))
                    result.append(to_numpy(std::move(one)));
                return result;
            },
            nb::arg("node"), nb::arg("columns"))
        .def(
            "survey",
            [](BoundTop& self, std::size_t node, std::size_t column, const BoundTop::Given& given) {
                const ColumnCounts counts = self.read(given);
                const nb::gil_scoped_release release;
                self.top->survey(node, column, counts);
            },
            nb::arg("node"), nb::arg("column"), nb::arg("counts"))
        .def(
            "look",
            [](BoundTop& self, std::size_t node, const std::vector<std::size_t>& which,
               const std::vector<BoundTop::Given>& given, int threads) {
                const std::vector<ColumnCounts> columns = self.read(given);
                if (which.size() != columns.size())
                    throw std::invalid_argument("which: one number per column");
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                self.top->look(node, which, columns, threads, interrupt);
            },
            nb::arg("node"), nb::arg("which"), nb::arg("columns"), nb::arg("threads"))
        .def(
            "look_at_part",
            [](BoundTop& self, std::size_t node, std::size_t column, const BoundTop::Given& given) {
                const ColumnCounts counts = self.read(given);
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                self.top->look_at_part(node, column, counts, interrupt);
            },
            nb::arg("node"), nb::arg("column"), nb::arg("counts"))
        .def(
            "order_of_levels",
            [](const BoundTop& self, std::size_t node, std::size_t column,
               const BoundTop::Given& given) {
                const ColumnCounts counts = self.read(given);
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                return self.top->order_of_levels(node, column, counts, interrupt);
            },
            nb::arg("node"), nb::arg("column"), nb::arg("counts"))
        .def(
            "asked", [](const BoundTop& self, std::size_t node) { return self.top->asked(node); },
            nb::arg("node"))
        .def(
            "cells_of_best",
            [](BoundTop& self, std::size_t node, std::size_t column, const BoundTop::Given& given) {
                const ColumnCounts counts = self.read(given);
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                return self.top->cells_of_best(node, column, counts, interrupt);
            },
            nb::arg("node"), nb::arg("column"), nb::arg("counts"))
        .def(
            "decide",
            [](BoundTop& self, std::size_t node) {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                self.top->decide(node, interrupt);
            },
            nb::arg("node"))
        .def(
            "routes",
            [](const BoundTop& self, const std::vector<std::int32_t>& slots) {
                std::vector<GivenRoute> routes;
                for (const RouteNode& node : self.top->routes(slots)) {
                    routes.emplace_back(static_cast<int>(node.kind), node.attribute, node.threshold,
                                        node.missing_to, node.branch_of_level, node.children,
                                        node.known_weight, node.slot);
                }
                return routes;
            },
            nb::arg("slots"))
        .def(
            "graft",
            [](BoundTop& self, std::size_t node, const Tree& subtree) {
                self.top->graft(node, subtree);
            },
            nb::arg("node"), nb::arg("subtree"))
        .def(
            "finish",
            [](BoundTop& self, std::optional<std::int64_t> max_expansions) {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                constexpr auto all = std::numeric_limits<std::int64_t>::max();
                return self.top->finish(max_expansions.value_or(all), interrupt);
            },
            nb::arg("max_expansions") = nb::none());
    m.def(
        "stream_facts",
        [](const BoundProblem& bound) {
            const Criterion& criterion = *bound.problem.criterion;
            const WalkKind kind = criterion.walk_kind();
            const bool numbers = bound.problem.classes == 0;
            const std::string deviance = !numbers                    ? ""
                                         : kind == WalkKind::poisson ? "poisson"
                                         : kind == WalkKind::gamma   ? "gamma"
                                                                     : "";
            return nb::make_tuple(numbers && criterion.centred(), deviance,
                                  kind == WalkKind::ranks
                                      ? nb::object(nb::float_(criterion.rank_loss().quantile))
                                      : nb::none());
        },
        nb::arg("problem"));
    m.def(
        "class_weights",
        [](const nb::dict& form, const Array1<std::int64_t>& given) {
            const Channels channels = read_form(form).channels();
            if (given.shape(0) != channels.count() || channels.classes() == 0)
                throw std::invalid_argument("channels: wrong number, or not of classes");
            std::vector<double> sums(channels.width());
            channels.sums(given.data(), sums.data());
            return to_numpy(std::move(sums));
        },
        nb::arg("form"), nb::arg("channels"), "Give the sums of the weights that a scan added up.");
    m.def(
        "deviance",
        [](const std::string& name, double y, double mean) {
            return make_number_criterion(name, {})->deviance(y, mean);
        },
        nb::arg("name"), nb::arg("y"), nb::arg("mean"));
    m.def(
        "thresholds_of_fold",
        [](const Tree& tree, const std::string& keys, bool weigh_gains,
           std::optional<Array1<double>> costs, Array1<double> thresholds) {
            const auto retirement =
                make_retirement(keys, {weigh_gains, costs ? view(*costs) : no_costs});
            return to_numpy(thresholds_of_fold(tree, *retirement, view(thresholds)));
        },
        nb::arg("tree"), nb::arg("keys"), nb::arg("weigh_gains"), nb::arg("costs").none(),
        nb::arg("thresholds"));
    m.def(
        "stream_losses",
        [](const Tree& tree, const std::string& keys, bool weigh_gains,
           std::optional<Array1<double>> costs, Array1<double> thresholds, const std::string& loss,
           const EncodedColumns& columns, Array1<std::uint32_t> rows, EncodedTarget target,
           std::optional<Array1<double>> weights, const std::string& unseen, double quantile) {
            const auto retirement =
                make_retirement(keys, {weigh_gains, costs ? view(*costs) : no_costs});
            const HeldOut held_out = read_held_out(columns, rows, weights, unseen);
            const Judge judge = read_judge(loss, costs, target, quantile);
            const std::span<const double> cuts = view(thresholds);
            Losses losses;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                losses =
                    held_out_losses(tree, retirement->keys(tree), cuts, judge, held_out, interrupt);
            }
            return nb::make_tuple(to_numpy(std::move(losses.sum)),
                                  to_numpy(std::move(losses.square)), losses.weight,
                                  losses.weight_square, losses.expansions);
        },
        nb::arg("tree"), nb::arg("keys"), nb::arg("weigh_gains"), nb::arg("costs").none(),
        nb::arg("thresholds"), nb::arg("loss"), nb::arg("columns"), nb::arg("rows"),
        nb::arg("target"), nb::arg("weights").none(), nb::arg("unseen"), nb::arg("quantile"));
    m.def(
        "grow_below",
        [](BoundProblem& bound, BoundTop& top, std::size_t node,
           std::optional<Array1<double>> fractions) {
            Problem problem = bound.ready();
            const Beginning beginning = top.top->beginning(node);
            problem.beginning = &beginning;
            problem.consumed = &bound.table;
            problem.passed_over = &top.passed_over;
            problem.parameters.competitor_depth = top.top->competitor_depth();
            if (fractions) {
                if (fractions->shape(0) != problem.table.rows())
                    throw std::invalid_argument("fractions: wrong number of rows");
                problem.fractions = view(*fractions);
            }
            const nb::gil_scoped_release release;
            Interrupt interrupt(check_signals);
            return grow(problem, interrupt);
        },
        nb::arg("problem"), nb::arg("top"), nb::arg("node"), nb::arg("fractions") = nb::none());
}

}  // namespace ramify::python
