#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "python/arrays.hpp"
#include "python/register.hpp"
#include "splits/maxcut/max_cut.hpp"
#include "splits/nominal/search.hpp"

namespace ramify::python {
namespace {

using Counts = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// None if no partition has enough rows on both sides; otherwise right (per level), the class
// weights of both sides, score, proven and work.
nb::object best_nominal_split(const Counts& counts, const Array1<double>& support,
                              const std::string& method, const std::string& criterion_name,
                              double min_support, std::optional<Array1<double>> costs,
                              double min_samples_leaf, std::uint64_t seed,
                              std::uint64_t work_limit) {
    const std::size_t levels = counts.shape(0);
    const std::size_t classes = counts.shape(1);
    if (support.shape(0) != levels) throw std::invalid_argument("support: one number per level");
    CriterionOptions options{min_support, {}};
    if (costs) options.costs.assign(costs->data(), costs->data() + costs->size());
    const auto criterion = make_criterion(criterion_name, options);
    const auto search = make_nominal_search(method, {seed, work_limit});
    search->require(*criterion, classes);
    std::vector<double> total(classes, 0.0);
    const auto add = [&](std::size_t level, double* sums) {
        const double* row = counts.data() + level * classes;
        for (std::size_t j = 0; j < classes; ++j) sums[j] += row[j];
    };
    for (std::size_t i = 0; i < levels; ++i) add(i, total.data());
    Interrupt interrupt(check_signals);
    std::optional<NominalSplit> split;
    {
        const nb::gil_scoped_release release;
        split = search->split({levels, classes, counts.data(), support.data(), total.data(),
                               min_samples_leaf, &interrupt},
                              *criterion);
    }
    if (!split) return nb::none();
    std::vector<double> sides(2 * classes, 0.0);
    for (std::size_t i = 0; i < levels; ++i) {
        add(i, sides.data() + (split->right[i] != 0 ? classes : 0));
    }
    nb::dict result;
    result["sides"] = to_numpy(std::move(sides), {2, classes});
    result["right"] = to_numpy(std::move(split->right));
    result["score"] = split->score;
    result["proven"] = split->proven;
    result["work"] = split->work;
    return result;
}

// Of a partition into children, one per row of counts.
double score(const Counts& children, const std::string& criterion_name, double min_support,
             std::optional<Array1<double>> costs) {
    CriterionOptions options{min_support, {}};
    if (costs) options.costs.assign(costs->data(), costs->data() + costs->size());
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
    if (costs) options.costs.assign(costs->data(), costs->data() + costs->size());
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
    m.def("best_nominal_split", &best_nominal_split, nb::arg("counts"), nb::arg("support"),
          nb::arg("method"), nb::arg("criterion"), nb::arg("min_support"), nb::arg("costs").none(),
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
