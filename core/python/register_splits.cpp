#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "criteria/costs.hpp"
#include "python/arrays.hpp"
#include "python/read_fields.hpp"
#include "python/register.hpp"
#include "splits/maxcut/max_cut.hpp"
#include "splits/nominal/given_table.hpp"
#include "splits/nominal/merge_levels.hpp"
#include "splits/nominal/search.hpp"

namespace ramify::python {
namespace {

using Counts = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The levels on one side.
nb::tuple positions(const std::vector<std::uint8_t>& right, bool of_right) {
    const auto count = std::count(right.begin(), right.end(), std::uint8_t{1});
    const auto size = of_right ? count : static_cast<std::ptrdiff_t>(right.size()) - count;
    PyObject* tuple = PyTuple_New(size);
    if (tuple == nullptr) throw nb::python_error();
    const nb::tuple result = nb::steal<nb::tuple>(tuple);
    Py_ssize_t at = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        if ((right[i] != 0) != of_right) continue;
        PyObject* position = PyLong_FromSize_t(i);
        if (position == nullptr) throw nb::python_error();
        PyTuple_SET_ITEM(tuple, at++, position);
    }
    return result;
}

// None if no partition has weight and enough rows on both sides; otherwise what NominalSplit has.
nb::object best_nominal_split(const Counts& counts, const std::string& method,
                              const std::string& criterion_name, double min_support,
                              std::optional<Array1<double>> costs, double min_samples_leaf,
                              std::uint64_t seed, std::uint64_t work_limit) {
    CriterionOptions options{min_support, {}};
    if (costs) options.costs = mixing_costs(counts.shape(1), view(*costs));
    const auto criterion = make_criterion(criterion_name, options);
    const auto search = make_nominal_search(method, {seed, work_limit});
    Interrupt interrupt(check_signals);
    std::optional<NominalSplit> split;
    double impurity = 0.0;
    {
        const nb::gil_scoped_release release;
        const GivenTable given(counts.data(), counts.shape(0), counts.shape(1));
        Contingency table = given.table();
        table.min_leaf = min_samples_leaf;
        table.interrupt = &interrupt;
        if (table.levels > 1) {
            search->require(*criterion, table.classes);
            split = search->split(table, *criterion);
        }
        if (split) {
            impurity = given.impurity(*split, *criterion);
            given.expand(*split);
        }
    }
    if (!split) return nb::none();
    nb::dict result;
    result["left"] = positions(split->right, false);
    result["right"] = positions(split->right, true);
    result["score"] = split->score;
    result["impurity"] = impurity;
    result["proven"] = split->proven;
    result["work"] = split->work;
    return result;
}

// Of a partition into children, one per row of counts.
double score(const Counts& children, const std::string& criterion_name, double min_support,
             std::optional<Array1<double>> costs) {
    CriterionOptions options{min_support, {}};
    if (costs) options.costs = mixing_costs(children.shape(1), view(*costs));
    const auto criterion = make_criterion(criterion_name, options);
    const std::size_t classes = children.shape(1);
    if (criterion->binary_only() && children.shape(0) != 2) {
        throw std::invalid_argument("criterion='" + criterion_name +
                                    "' is defined for two children, not for " +
                                    std::to_string(children.shape(0)));
    }
    std::vector<double> node(classes, 0.0);
    for (std::size_t i = 0; i < children.size(); ++i) node[i % classes] += children.data()[i];
    return criterion->score({node.data(), children.data(), children.shape(0), classes});
}

// Of every row of counts.
nb::object impurities(const Counts& counts, const std::string& criterion_name,
                      std::optional<Array1<double>> costs) {
    CriterionOptions options;
    if (costs) options.costs = mixing_costs(counts.shape(1), view(*costs));
    const auto criterion = make_criterion(criterion_name, options);
    std::vector<double> result(counts.shape(0));
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = criterion->impurity(counts.data() + i * counts.shape(1), counts.shape(1));
    }
    return to_numpy(std::move(result));
}

std::vector<double> square(const Counts& weights) {
    if (weights.shape(0) != weights.shape(1))
        throw std::invalid_argument("weights: as many rows as columns");
    return {weights.data(), weights.data() + weights.size()};
}

}  // namespace

void register_splits(nb::module_& m) {
    m.def(
        "merge_levels",
        [](const Counts& sums, bool ordered, bool floats, double min_rows, const nb::dict& given) {
            const MergeOptions options = read_fields<MergeOptions>("options", given);
            Interrupt interrupt(check_signals);
            MergedLevels merged;
            {
                const nb::gil_scoped_release release;
                LevelTable table{sums.shape(0), sums.shape(1), sums.data()};
                std::vector<double> support(table.levels, 0.0);
                for (std::size_t l = 0; l < table.levels; ++l) {
                    const double* row = table.sums + l * table.width;
                    support[l] = options.test == GroupTest::f
                                     ? row[0]
                                     : std::accumulate(row, row + table.width, 0.0);
                }
                table.support = support.data();
                table.ordered = ordered;
                table.floats = floats;
                table.min_rows = min_rows;
                table.interrupt = &interrupt;
                merged = merge_levels(table, options);
            }
            return nb::make_tuple(merged.group_of_level, merged.log_p, merged.log_ways);
        },
        nb::arg("sums"), nb::arg("ordered"), nb::arg("floats"), nb::arg("min_rows"),
        nb::arg("options"));
    m.def("best_nominal_split", &best_nominal_split, nb::arg("counts"), nb::arg("method"),
          nb::arg("criterion"), nb::arg("min_support"), nb::arg("costs").none(),
          nb::arg("min_samples_leaf"), nb::arg("seed"), nb::arg("work_limit"));
    m.def("score", &score, nb::arg("children"), nb::arg("criterion"), nb::arg("min_support"),
          nb::arg("costs").none());
    m.def("impurities", &impurities, nb::arg("counts"), nb::arg("criterion"),
          nb::arg("costs").none());
    m.def(
        "max_cut",
        [](const Counts& weights, const std::string& method, std::uint64_t seed) {
            Interrupt interrupt(check_signals);
            MaxCut cut;
            std::vector<double> graph = square(weights);
            {
                const nb::gil_scoped_release release;
                cut = max_cut(std::move(graph), weights.shape(0), method, seed, &interrupt);
            }
            return nb::make_tuple(to_numpy(std::move(cut.sides)), cut.weight);
        },
        nb::arg("weights"), nb::arg("method"), nb::arg("seed"));
    m.def(
        "maxcut_sdp",
        [](const Counts& weights) {
            Interrupt interrupt(check_signals);
            Relaxation found;
            std::vector<double> graph = square(weights);
            {
                const nb::gil_scoped_release release;
                found = max_cut_relaxation(std::move(graph), weights.shape(0), &interrupt);
            }
            return nb::make_tuple(
                found.value, to_numpy(std::move(found.vectors), {weights.shape(0), found.rank}));
        },
        nb::arg("weights"));
    m.def("criterion_names", &criterion_names);
    m.def("nominal_search_names", &nominal_search_names);
}

}  // namespace ramify::python
