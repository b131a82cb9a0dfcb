#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "discretize/chimerge.hpp"
#include "discretize/mdlp.hpp"
#include "discretize/mid.hpp"
#include "python/register.hpp"
#include "python/table_binding.hpp"
#include "support/parallel.hpp"

namespace ramify::python {
namespace {

using Labels = Array1<std::int32_t>;
using Weights = std::optional<Array1<double>>;

LabelledTable labelled(const BoundTable& table, const Labels& labels, std::size_t classes,
                       const Weights& weights) {
    return {table.table, view(labels), classes,
            weights ? view(*weights) : std::span<const double>{}};
}

nb::list to_list(std::vector<std::vector<double>> columns) {
    nb::list list;
    for (auto& column : columns) list.append(to_numpy(std::move(column)));
    return list;
}

nb::tuple to_arrays(const std::vector<RankedCut>& cuts) {
    std::vector<std::int64_t> attributes;
    std::vector<double> thresholds, gains;
    for (const RankedCut& cut : cuts) {
        attributes.push_back(static_cast<std::int64_t>(cut.attribute));
        thresholds.push_back(cut.threshold);
        gains.push_back(cut.gain);
    }
    return nb::make_tuple(to_numpy(std::move(attributes)), to_numpy(std::move(thresholds)),
                          to_numpy(std::move(gains)));
}

// Marks the columns that are ranked; empty: all.
std::vector<bool> columns_of(const std::optional<std::vector<std::size_t>>& given,
                             const BoundTable& table) {
    if (!given) return {};
    std::vector<bool> marks(table.table.size(), false);
    for (const std::size_t column : *given) {
        if (column >= marks.size()) throw std::invalid_argument("columns: no such column");
        marks[column] = true;
    }
    return marks;
}

}  // namespace

void register_discretize(nb::module_& m) {
    m.def(
        "rank_cuts",
        [](const BoundTable& table, const Labels& labels, std::size_t classes,
           const Weights& weights, const std::string& impurity, std::optional<std::size_t> limit,
           bool mdl, int threads, const std::optional<std::vector<std::size_t>>& columns) {
            RankOptions options;
            options.columns = columns_of(columns, table);
            options.impurity = choose<CutImpurity>("impurity", impurity);
            if (limit) options.limit = *limit;
            options.mdl = mdl;
            options.threads = usable_threads(threads);
            std::vector<RankedCut> cuts;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                cuts = rank_cuts(labelled(table, labels, classes, weights), options, interrupt);
            }
            return to_arrays(cuts);
        },
        nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("impurity"), nb::arg("limit").none(), nb::arg("mdl") = false,
        nb::arg("threads") = 1, nb::arg("columns") = nb::none());
    m.def(
        "rank_cuts_of_numbers",
        [](const BoundTable& table, const Array1<double>& target, const Weights& weights,
           std::optional<std::size_t> limit, bool mdl, int threads,
           const std::optional<std::vector<std::size_t>>& columns) {
            RankOptions options;
            options.columns = columns_of(columns, table);
            if (limit) options.limit = *limit;
            options.mdl = mdl;
            options.threads = usable_threads(threads);
            const NumberedTable data{table.table, view(target),
                                     weights ? view(*weights) : std::span<const double>{}};
            std::vector<RankedCut> cuts;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                cuts = rank_cuts(data, options, interrupt);
            }
            return to_arrays(cuts);
        },
        nb::arg("table"), nb::arg("target"), nb::arg("weights").none(), nb::arg("limit").none(),
        nb::arg("mdl") = false, nb::arg("threads") = 1, nb::arg("columns") = nb::none());
    m.def(
        "mdlp_cuts",
        [](const BoundTable& table, const Labels& labels, std::size_t classes,
           const Weights& weights, int threads) {
            std::vector<std::vector<double>> cuts;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                cuts = mdlp_cuts(labelled(table, labels, classes, weights), usable_threads(threads),
                                 interrupt);
            }
            return to_list(std::move(cuts));
        },
        nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("threads") = 1);
    m.def(
        "chimerge_cuts",
        [](const BoundTable& table, const Labels& labels, std::size_t classes,
           const Weights& weights, double threshold, std::size_t min_intervals,
           std::optional<std::size_t> max_intervals, int threads) {
            ChiMergeOptions options;
            options.threshold = threshold;
            options.min_intervals = min_intervals;
            if (max_intervals) options.max_intervals = *max_intervals;
            options.threads = usable_threads(threads);
            std::vector<std::vector<double>> cuts;
            {
                const nb::gil_scoped_release release;
                Interrupt interrupt(check_signals);
                cuts = chimerge_cuts(labelled(table, labels, classes, weights), options, interrupt);
            }
            return to_list(std::move(cuts));
        },
        nb::arg("table"), nb::arg("labels"), nb::arg("classes"), nb::arg("weights").none(),
        nb::arg("threshold"), nb::arg("min_intervals"), nb::arg("max_intervals").none(),
        nb::arg("threads") = 1);
}

}  // namespace ramify::python
