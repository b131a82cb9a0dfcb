#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "optimal/features/questions.hpp"
#include "optimal/features/tree_of_splits.hpp"
#include "python/register.hpp"
#include "python/search_target.hpp"
#include "python/table_binding.hpp"

namespace ramify::python {
namespace {

using namespace ramify::optimal;

using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Place = std::tuple<std::int32_t, std::int32_t, bool>;

Bits bits_of(const FeatureSet& features, const Mask& mask) {
    if (mask.shape(0) != features.rows()) throw std::invalid_argument("wrong number of rows");
    Bits bits = features.no_rows();
    for (std::size_t row = 0; row < features.rows(); ++row) {
        bits[row / 64] |= static_cast<std::uint64_t>(mask(row)) << row % 64;
    }
    return bits;
}

void check_column(const FeatureSet& features, const BoundTable& table, std::size_t column) {
    if (table.table.rows() != features.rows() || column >= table.table.size())
        throw std::invalid_argument("the table does not fit the features");
    if (table.table.used_up()) throw std::invalid_argument("the table has been used up");
}

template <typename Add>
auto adder(Add add) {
    return [add](FeatureSet& self, const BoundTable& table, std::size_t column) {
        check_column(self, table, column);
        const nb::gil_scoped_release release;
        add(self, table.table, column);
    };
}

// Kind, column, threshold, branch of missing values, branch of every level, number of branches.
using GivenFixed =
    std::tuple<int, std::int32_t, double, std::int32_t, std::vector<std::int32_t>, std::int32_t>;

std::vector<FixedCondition> read_fixed(const std::vector<GivenFixed>& given, const Table& table) {
    std::vector<FixedCondition> fixed;
    for (const auto& [kind, column, threshold, missing_to, levels, branches] : given) {
        const bool known = column >= 0 && static_cast<std::size_t>(column) < table.size();
        const bool cuts = kind == static_cast<int>(ConditionKind::threshold);
        if (!known || kind < 1 || kind > static_cast<int>(ConditionKind::multiway) ||
            branches < 2 || missing_to < -1 || missing_to >= branches ||
            (!cuts && levels.size() != table[static_cast<std::size_t>(column)].levels)) {
            throw std::invalid_argument("fixed: not a condition on these columns");
        }
        fixed.push_back(
            {static_cast<ConditionKind>(kind), column, threshold, missing_to, levels, branches});
    }
    return fixed;
}

void check_splits(const FeatureSet& features, const NodeList& splits, std::size_t fixed) {
    OptimalProblem shape;
    shape.rows = 0;
    shape.columns.resize(features.size());
    shape.start = splits;
    shape.check();
    if (splits.empty()) throw std::invalid_argument("start: not a tree");
    const auto size = static_cast<std::int64_t>(splits.size());
    for (std::int64_t at = 0; at < size; ++at) {
        const Node& node = splits[static_cast<std::size_t>(at)];
        if (!is_fixed(node.column)) continue;
        if (fixed_of(node.column) >= fixed || node.left <= at || node.right < 2 ||
            std::int64_t{node.left} + node.right > size) {
            throw std::invalid_argument("splits: not a tree");
        }
    }
}

}  // namespace

void register_features(nb::module_& m) {
    nb::class_<FeatureSet>(m, "FeatureSet", "The questions of a search, as divisions of the rows.")
        .def(nb::init<std::size_t, bool>(), nb::arg("rows"), nb::arg("across_columns") = true)
        .def("__len__", &FeatureSet::size)
        .def_prop_ro("binary", &FeatureSet::binary)
        .def_prop_ro("bytes", &FeatureSet::bytes)
        .def_prop_ro("columns",
                     [](const FeatureSet& self) {
                         std::vector<std::int32_t> columns;
                         for (std::size_t f = 0; f < self.size(); ++f)
                             columns.push_back(self.column(f));
                         return columns;
                     })
        .def(
            "add_codes",
            [](FeatureSet& self, std::int32_t column, const Array1<std::int32_t>& codes) {
                if (codes.shape(0) != self.rows())
                    throw std::invalid_argument("wrong number of rows");
                const auto given = view(codes);
                return self.add_codes(column, {given.begin(), given.end()});
            },
            nb::arg("column"), nb::arg("codes"))
        .def("add_ranks", adder(add_ranks), nb::arg("table"), nb::arg("column"))
        .def("add_levels", adder(add_levels), nb::arg("table"), nb::arg("column"))
        .def("add_missing", adder(add_missing), nb::arg("table"), nb::arg("column"))
        .def(
            "add_threshold",
            [](FeatureSet& self, const BoundTable& table, std::size_t column, double threshold) {
                check_column(self, table, column);
                const nb::gil_scoped_release release;
                add_threshold(self, table.table, column, threshold);
            },
            nb::arg("table"), nb::arg("column"), nb::arg("threshold"))
        .def(
            "find",
            [](const FeatureSet& self, const Mask& left,
               std::int32_t column) -> std::optional<Place> {
                const auto found = self.find(bits_of(self, left), column);
                if (!found) return std::nullopt;
                return Place{found->feature, found->code, found->swapped};
            },
            nb::arg("left"), nb::arg("column"))
        .def(
            "find_or_add",
            [](FeatureSet& self, const Mask& left, std::int32_t column) {
                const auto found = self.find_or_add(bits_of(self, left), column);
                return Place{found.feature, found.code, found.swapped};
            },
            nb::arg("left"), nb::arg("column"))
        .def(
            "tree",
            [](const FeatureSet& self, const BoundTable& table,
               const std::vector<std::vector<std::int32_t>>& splits,
               std::optional<Array1<std::int32_t>> labels, std::size_t classes,
               std::optional<Array1<double>> target, std::optional<Array1<double>> weights,
               std::optional<Array1<double>> costs, const std::string& loss, double quantile,
               const std::vector<GivenFixed>& given_fixed) {
                const SearchTarget given(labels, classes, target, weights, costs, {},
                                         number_objective(loss, quantile));
                check_column(self, table, 0);
                const auto fixed = read_fixed(given_fixed, table.table);
                if (given.rows() != self.rows())
                    throw std::invalid_argument("wrong number of rows");
                OptimalProblem problem;
                for (const auto& split : splits) problem.add_start(split);
                check_splits(self, problem.start, fixed.size());
                const nb::gil_scoped_release release;
                return tree_of_splits(problem.start, self, table.table, given.view_of, fixed);
            },
            nb::arg("table"), nb::arg("splits"), nb::kw_only(), nb::arg("labels") = nb::none(),
            nb::arg("classes") = 0, nb::arg("target") = nb::none(), nb::arg("weights") = nb::none(),
            nb::arg("costs") = nb::none(), nb::arg("loss") = "squared", nb::arg("quantile") = 0.5,
            nb::arg("fixed") = std::vector<GivenFixed>{});
    m.def("few_levels", [] { return few_levels; });
    m.def(
        "column_facts",
        [](const BoundTable& table) {
            std::vector<std::tuple<bool, std::size_t>> facts;
            for (std::size_t j = 0; j < table.table.size(); ++j) {
                const ColumnFacts found = facts_of(table.table[j], table.table.rows());
                facts.emplace_back(found.missing, found.distinct);
            }
            return facts;
        },
        nb::arg("table"));
}

}  // namespace ramify::python
