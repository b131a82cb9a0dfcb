#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "python/arrays.hpp"
#include "python/register.hpp"
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

}  // namespace

void register_splits(nb::module_& m) {
    m.def("best_nominal_split", &best_nominal_split, nb::arg("counts"), nb::arg("support"),
          nb::arg("method"), nb::arg("criterion"), nb::arg("min_support"), nb::arg("costs").none(),
          nb::arg("min_samples_leaf"), nb::arg("seed"), nb::arg("work_limit"));
    m.def("impurities", &impurities, nb::arg("counts"), nb::arg("criterion"),
          nb::arg("costs").none());
    m.def("criterion_names", &criterion_names);
    m.def("nominal_search_names", &nominal_search_names);
}

}  // namespace ramify::python
