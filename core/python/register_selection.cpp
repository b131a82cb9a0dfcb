#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <vector>

#include "counts/beyond_chance.hpp"
#include "python/register.hpp"
#include "select/by_chance.hpp"

namespace ramify::python {
namespace {

ChanceLevels levels_of(const std::vector<double>& sizes) {
    ChanceLevels levels;
    for (const double size : sizes) {
        if (size > 0.0) levels.add(size);
    }
    return levels;
}

ChanceCuts cuts_of(const std::vector<double>& places) {
    if (places.empty()) return {};
    return {static_cast<double>(places.size()), places.front(), places.back(), places};
}

// Thresholds of complete columns, given as (cuts, first, last, share).
std::int32_t choose_threshold(const ChanceTarget& target,
                              const std::vector<std::array<double, 4>>& columns) {
    std::vector<ChanceClaim> claims(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        claims[c].entered = true;
        claims[c].statistic = columns[c][3] * (target.rows - 1.0);
    }
    return select_by_chance(
        claims.data(), claims.size(),
        [&](std::size_t c) { return ChanceCuts{columns[c][0], columns[c][1], columns[c][2], {}}; },
        [&](double statistic) { return log_p_of_one_cut(target, statistic / (target.rows - 1.0)); },
        [&](std::size_t c, double crossings) {
            return log_p_of_crossings(target, crossings, columns[c][3]);
        },
        [&](std::size_t c, double& crossings) {
            const auto& [cuts, first, last, share] = columns[c];
            return log_p_of_threshold(target, {cuts, first, last, {}}, share, &crossings);
        });
}

}  // namespace

void register_selection(nanobind::module_& m) {
    using nanobind::arg;
    nanobind::class_<ChanceTarget>(m, "ChanceTarget")
        .def_ro("rows", &ChanceTarget::rows)
        .def_ro("second", &ChanceTarget::second)
        .def_ro("third", &ChanceTarget::third)
        .def_ro("fourth", &ChanceTarget::fourth);
    m.def(
        "chance_of_classes",
        [](const std::vector<double>& weights, double rows) {
            return chance_of_classes(weights, rows);
        },
        arg("class_weights"), arg("rows"));
    m.def("chance_of_numbers", &chance_of_numbers, arg("variance"), arg("fourth_moment"),
          arg("rows"));
    m.def(
        "moments_by_chance",
        [](const ChanceTarget& target, const std::vector<double>& sizes) {
            const ChanceMoments found = moments_by_chance(target, levels_of(sizes));
            return std::pair(found.mean, found.variance);
        },
        arg("target"), arg("sizes"));
    m.def(
        "log_p_of_levels",
        [](const ChanceTarget& target, const std::vector<double>& sizes, double share) {
            return log_p_of_levels(target, levels_of(sizes), share);
        },
        arg("target"), arg("sizes"), arg("share"));
    m.def(
        "log_p_of_threshold",
        [](const ChanceTarget& target, const std::vector<double>& places, double share) {
            return log_p_of_threshold(target, cuts_of(places), share);
        },
        arg("target"), arg("places"), arg("share"));
    m.def(
        "log_p_of_even_threshold",
        [](const ChanceTarget& target, double count, double first, double last, double share) {
            return log_p_of_threshold(target, {count, first, last, {}}, share);
        },
        arg("target"), arg("count"), arg("first"), arg("last"), arg("share"));
    m.def("log_p_of_crossings", &log_p_of_crossings, arg("target"), arg("crossings"), arg("share"));
    m.def("choose_threshold", &choose_threshold, arg("target"), arg("columns"));
}

}  // namespace ramify::python
