#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "edit/editor.hpp"
#include "python/problem_binding.hpp"
#include "python/read_constraints.hpp"
#include "python/register.hpp"

namespace ramify::python {
namespace {

using HeldOutColumn = std::variant<StridedArray1, Array1<std::int32_t>>;

HeldOutRows read_held_out(const std::vector<HeldOutColumn>& given, std::size_t columns) {
    HeldOutRows rows;
    if (given.empty()) return rows;
    if (given.size() != columns) throw std::invalid_argument("held_out: wrong number of columns");
    for (const HeldOutColumn& column : given) {
        std::visit(
            [&](const auto& array) {
                if (&column == given.data()) rows.rows = array.shape(0);
                if (array.shape(0) != rows.rows)
                    throw std::invalid_argument("held_out: columns differ in length");
                PredictColumn& to = rows.columns.emplace_back();
                if constexpr (std::is_same_v<std::decay_t<decltype(array)>, StridedArray1>) {
                    to.values = array.data();
                } else {
                    to.codes = array.data();
                }
                to.stride = array.stride(0);
            },
            column);
    }
    return rows;
}

struct BoundEditor {
    BoundEditor(nb::object problem, std::vector<HeldOutColumn> held_out, const std::string& unseen)
        : bound(nb::cast<BoundProblem&>(problem)),
          columns(std::move(held_out)),
          editor(bound.ready(), read_held_out(columns, bound.table.size()),
                 choose<Unseen>("unseen", unseen)),
          kept(problem) {}

    BoundProblem& bound;
    std::vector<HeldOutColumn> columns;  // whose memory the editor reads
    TreeEditor editor;
    nb::object kept;
};

using Version = std::shared_ptr<const EditedTree>;

std::size_t checked(const EditedTree& tree, std::size_t node) {
    if (node >= tree.size()) throw std::invalid_argument("node: there is no such node");
    return node;
}

nb::tuple to_python(Edited edited) {
    return nb::make_tuple(std::const_pointer_cast<EditedTree>(edited.tree),
                          std::move(edited.passed_over), edited.as_grown);
}

Demand read_demand(const std::vector<GivenNode>& nodes, std::vector<std::int64_t> tags,
                   const Table& table) {
    if (nodes.empty() || tags.size() != nodes.size())
        throw std::invalid_argument("skeleton: a tag for every node");
    Constraints constraints = read_constraints({{}, std::nullopt, nodes}, table.size());
    require_fit(constraints, table);
    return {std::move(constraints.skeleton), std::move(tags)};
}

SharedRows LeafRows::* rows_called(const std::string& which) {
    if (which == "grown") return &LeafRows::grown;
    if (which == "walked") return &LeafRows::walked;
    if (which == "held_out") return &LeafRows::held_out;
    throw std::invalid_argument("which: choose 'grown', 'walked' or 'held_out'");
}

SearchLimits read_limits(const std::optional<ColumnNumbers>& columns, std::vector<double> bounds,
                         std::size_t count) {
    SearchLimits limits;
    if (columns) limits.columns = column_set(*columns, count);
    limits.bounds = std::move(bounds);
    return limits;
}

// The rows of the leaves at and below a node: whole rows, the leaf of each, and divided rows with
// the leaves that have a part of them.
nb::tuple leaf_rows(const EditedTree& tree, std::size_t node, const std::string& which) {
    const auto member = rows_called(which);
    std::vector<std::uint32_t> whole, divided;
    std::vector<std::int32_t> leaf_of, leaf_of_part;
    std::vector<double> part;
    {
        const nb::gil_scoped_release release;
        for (const std::int32_t leaf : tree.leaves(node)) {
            const KeptRows& rows = *(tree[static_cast<std::size_t>(leaf)].rows.*member);
            whole.insert(whole.end(), rows.whole.begin(), rows.whole.end());
            leaf_of.resize(whole.size(), leaf);
            divided.insert(divided.end(), rows.divided.begin(), rows.divided.end());
            part.insert(part.end(), rows.part.begin(), rows.part.end());
            leaf_of_part.resize(divided.size(), leaf);
        }
    }
    return nb::make_tuple(to_numpy(std::move(whole)), to_numpy(std::move(leaf_of)),
                          to_numpy(std::move(divided)), to_numpy(std::move(part)),
                          to_numpy(std::move(leaf_of_part)));
}

nb::tuple demand_to_python(const Demand& demand) {
    std::vector<GivenNode> nodes;
    for (const SkeletonNode& node : demand.skeleton)
        nodes.emplace_back(static_cast<int>(node.kind), node.attribute, node.threshold,
                           node.missing_to, node.branch_of_code, node.children, node.closed,
                           std::nullopt);
    return nb::make_tuple(std::move(nodes), demand.tags);
}

void register_version(nb::module_& m) {
    nb::class_<EditedTree>(m, "EditedTree", "One version of a tree that is edited.")
        .def_prop_ro("tree", [](const EditedTree& self) { return Tree(self.tree()); })
        .def("tags", [](const EditedTree& self) { return to_numpy(self.tags()); })
        .def(
            "leaf_rows",
            [](const EditedTree& self, std::size_t node, const std::string& which) {
                return leaf_rows(self, checked(self, node), which);
            },
            nb::arg("node"), nb::arg("which"))
        .def(
            "demand",
            [](const EditedTree& self, std::size_t node) {
                return demand_to_python(self.demand(checked(self, node)));
            },
            nb::arg("node"));
}

}  // namespace

void register_edit(nb::module_& m) {
    register_version(m);
    nb::class_<BoundEditor>(m, "TreeEditor", "Versions of a tree on the rows of one problem.")
        .def(nb::init<nb::object, std::vector<HeldOutColumn>, const std::string&>(),
             nb::arg("problem"), nb::arg("held_out"), nb::arg("unseen"))
        .def(
            "open",
            [](const BoundEditor& self, const Tree& tree) {
                require_grown_on(self.editor.problem(), tree);
                Edited edited;
                {
                    const nb::gil_scoped_release release;
                    Interrupt interrupt(check_signals);
                    edited = self.editor.open(tree, interrupt);
                }
                return to_python(std::move(edited));
            },
            nb::arg("tree"))
        .def(
            "replace",
            [](const BoundEditor& self, const EditedTree& tree, std::size_t node,
               const std::vector<GivenNode>& skeleton, std::vector<std::int64_t> tags) {
                checked(tree, node);
                const Demand demand =
                    read_demand(skeleton, std::move(tags), self.editor.problem().table);
                Edited edited;
                {
                    const nb::gil_scoped_release release;
                    Interrupt interrupt(check_signals);
                    edited = self.editor.replace(tree, node, demand, interrupt);
                }
                return to_python(std::move(edited));
            },
            nb::arg("version"), nb::arg("node"), nb::arg("skeleton"), nb::arg("tags"))
        .def(
            "put_tree",
            [](const BoundEditor& self, const EditedTree& tree, std::size_t node,
               const Tree& grown) {
                checked(tree, node);
                require_grown_on(self.editor.problem(), grown);
                Edited edited;
                {
                    const nb::gil_scoped_release release;
                    Interrupt interrupt(check_signals);
                    edited = self.editor.replace(tree, node, grown, interrupt);
                }
                return to_python(std::move(edited));
            },
            nb::arg("version"), nb::arg("node"), nb::arg("tree"))
        .def(
            "tag",
            [](const BoundEditor& self, const EditedTree& tree,
               const std::vector<std::int64_t>& nodes, const std::vector<std::int64_t>& tags) {
                if (nodes.empty() || nodes.size() != tags.size())
                    throw std::invalid_argument("tags: one for every node");
                for (const std::int64_t node : nodes) checked(tree, static_cast<std::size_t>(node));
                Version tagged;
                {
                    const nb::gil_scoped_release release;
                    Interrupt interrupt(check_signals);
                    tagged = self.editor.tag(tree, nodes, tags, interrupt);
                }
                return std::const_pointer_cast<EditedTree>(tagged);
            },
            nb::arg("version"), nb::arg("nodes"), nb::arg("tags"))
        .def(
            "candidates",
            [](BoundEditor& self, const EditedTree& tree, std::size_t node,
               const std::optional<ColumnNumbers>& columns, std::vector<double> bounds,
               const std::string& selection) {
                checked(tree, node);
                const SearchLimits limits =
                    read_limits(columns, std::move(bounds), tree.tree().columns());
                const auto by = choose<Selection>("selection", selection);
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                return self.editor.candidates(tree, node, limits, by, interrupt);
            },
            nb::arg("version"), nb::arg("node"), nb::arg("columns").none(), nb::arg("bounds"),
            nb::arg("selection"))
        .def(
            "grow",
            [](const BoundEditor& self, const EditedTree& tree, std::size_t node,
               const std::optional<ColumnNumbers>& columns, std::vector<double> bounds,
               std::optional<std::int64_t> max_depth, std::optional<std::int64_t> max_leaves) {
                checked(tree, node);
                const SearchLimits limits =
                    read_limits(columns, std::move(bounds), tree.tree().columns());
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                return self.editor.grow(tree, node, limits, max_depth, max_leaves, interrupt);
            },
            nb::arg("version"), nb::arg("node"), nb::arg("columns").none(), nb::arg("bounds"),
            nb::arg("max_depth").none(), nb::arg("max_leaves").none())
        .def(
            "effects",
            [](const BoundEditor& self, const EditedTree& tree, std::size_t node,
               const std::vector<std::vector<GivenNode>>& asked) {
                checked(tree, node);
                const Table& table = self.editor.problem().table;
                std::vector<SkeletonNode> conditions;
                for (const std::vector<GivenNode>& one : asked)
                    conditions.push_back(
                        read_demand(one, std::vector<std::int64_t>(one.size(), -1), table)
                            .skeleton.front());
                std::vector<Effect> found;
                {
                    const nb::gil_scoped_release release;
                    Interrupt interrupt(check_signals);
                    found = self.editor.effects(tree, node, conditions, interrupt);
                }
                nb::list result;
                for (Effect& one : found) {
                    const std::size_t branches = one.rows.size();
                    const std::size_t width = one.sums.size() / branches;
                    result.append(
                        nb::make_tuple(to_numpy(std::move(one.rows)),
                                       to_numpy(std::move(one.sums), {branches, width}),
                                       to_numpy(std::move(one.held_out)),
                                       one.test.tested ? nb::cast(one.test.log_p) : nb::none()));
                }
                return result;
            },
            nb::arg("version"), nb::arg("node"), nb::arg("asked"))
        .def(
            "gains",
            [](const BoundEditor& self, const EditedTree& tree, std::size_t node,
               std::size_t column, Array1<double> thresholds) {
                checked(tree, node);
                if (column >= self.editor.problem().table.size())
                    throw std::invalid_argument("column: there is no such column");
                std::vector<double> gains;
                {
                    const nb::gil_scoped_release release;
                    Interrupt interrupt(check_signals);
                    gains = self.editor.gains(tree, node, column, view(thresholds), interrupt);
                }
                return to_numpy(std::move(gains));
            },
            nb::arg("version"), nb::arg("node"), nb::arg("column"), nb::arg("thresholds"))
        .def(
            "rows",
            [](const BoundEditor& self, const EditedTree& tree, std::size_t node,
               const std::string& which) {
                checked(tree, node);
                const std::size_t total = which == "held_out" ? self.editor.held_out().rows
                                                              : self.editor.problem().table.rows();
                SharedRows rows;
                {
                    const nb::gil_scoped_release release;
                    rows = tree.rows(node, rows_called(which), total);
                }
                return nb::make_tuple(to_numpy(std::vector(rows->whole)),
                                      to_numpy(std::vector(rows->divided)),
                                      to_numpy(std::vector(rows->part)));
            },
            nb::arg("version"), nb::arg("node"), nb::arg("which"));
}

}  // namespace ramify::python
