#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

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
        if (PyTuple_SetItem(tuple, at++, position) != 0) throw nb::python_error();
    }
    return result;
}

std::span<const double> view_of(const std::optional<Array1<double>>& costs) {
    return costs ? view(*costs) : std::span<const double>{};
}

// None if no partition has weight and enough rows on both sides; otherwise the fields of
// NominalSplit.
nb::object best_nominal_split(const Matrix& counts, const std::string& method,
                              const std::string& criterion_name, double min_support,
                              std::optional<Array1<double>> costs, double min_samples_leaf,
                              std::uint64_t seed, std::uint64_t work_limit) {
    const std::size_t classes = counts.shape(1);
    const auto criterion =
        make_criterion(criterion_name, {min_support, mixing_costs(classes, view_of(costs))});
    Interrupt interrupt(check_signals);
    std::optional<GivenSplit> split;
    {
        const nb::gil_scoped_release release;
        split = best_split(counts.data(), counts.shape(0), classes,
                           {method, {seed, work_limit}, min_samples_leaf}, *criterion, interrupt);
    }
    if (!split) return nb::none();
    nb::dict result;
    result["left"] = positions(split->right, false);
    result["right"] = positions(split->right, true);
    result["score"] = split->score;
    result["impurity"] = split->impurity;
    result["proven"] = split->proven;
    result["work"] = split->work;
    return result;
}

// The score of a partition into children, one per row of counts.
double score(const Matrix& children, const std::string& criterion, double min_support,
             std::optional<Array1<double>> costs) {
    const std::size_t classes = children.shape(1);
    return score_of(criterion, {min_support, mixing_costs(classes, view_of(costs))},
                    children.data(), children.shape(0), classes);
}

// The impurity of every row of counts.
nb::object impurities(const Matrix& counts, const std::string& criterion_name,
                      std::optional<Array1<double>> costs) {
    const std::size_t classes = counts.shape(1);
    const auto criterion =
        make_criterion(criterion_name, {0.0, mixing_costs(classes, view_of(costs))});
    std::vector<double> result(counts.shape(0));
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = criterion->impurity(counts.data() + i * classes, classes);
    return to_numpy(std::move(result));
}

std::vector<double> copy_of(const Matrix& matrix) {
    return {matrix.data(), matrix.data() + matrix.size()};
}

}  // namespace

void register_splits(nb::module_& m) {
    m.def(
        "merge_levels",
        [](const Matrix& sums, bool ordered, bool floats, double min_rows, const nb::dict& given) {
            const MergeOptions options = read_fields<MergeOptions>("options", given);
            Interrupt interrupt(check_signals);
            MergedLevels merged;
            {
                const nb::gil_scoped_release release;
                LevelsToMerge table{sums.shape(0), sums.shape(1), sums.data()};
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
        [](const Matrix& weights, const std::string& method, std::uint64_t seed) {
            Interrupt interrupt(check_signals);
            MaxCut cut;
            std::vector<double> graph = copy_of(weights);
            {
                const nb::gil_scoped_release release;
                cut = max_cut(std::move(graph), weights.shape(0), method, seed, &interrupt);
            }
            return nb::make_tuple(to_numpy(std::move(cut.sides)), cut.weight);
        },
        nb::arg("weights"), nb::arg("method"), nb::arg("seed"));
    m.def(
        "maxcut_sdp",
        [](const Matrix& weights) {
            Interrupt interrupt(check_signals);
            Relaxation found;
            std::vector<double> graph = copy_of(weights);
            {
                const nb::gil_scoped_release release;
                found = max_cut_relaxation(std::move(graph), weights.shape(0), &interrupt);
            }
            return nb::make_tuple(
                found.value, to_numpy(std::move(found.vectors), {weights.shape(0), found.rank}));
        },
        nb::arg("weights"));
    nb::class_<CriterionInfo>(m, "CriterionInfo", "What is known of a criterion.")
        .def_ro("name", &CriterionInfo::name)
        .def_ro("counts_rows", &CriterionInfo::counts_rows)
        .def_ro("takes_costs", &CriterionInfo::takes_costs)
        .def_ro("binary_only", &CriterionInfo::binary_only)
        .def_ro("adds_up_pairs", &CriterionInfo::adds_up_pairs);
    m.def("criteria", &criteria);
    m.def("criterion_names", [] { return names_in(criteria()); });
    nb::class_<NominalSearchInfo>(m, "NominalSearchInfo", "What is known of a nominal search.")
        .def_ro("name", &NominalSearchInfo::name)
        .def_ro("guarantee", &NominalSearchInfo::guarantee)
        .def_ro("cost", &NominalSearchInfo::cost)
        .def_ro("reference", &NominalSearchInfo::reference)
        .def_prop_ro("criteria", &NominalSearchInfo::criteria);
    m.def("nominal_searches", &nominal_searches);
    m.def("nominal_search_names", [] { return names_in(nominal_searches()); });
}

}  // namespace ramify::python
