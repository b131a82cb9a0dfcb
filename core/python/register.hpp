// One function per noun of the bindings. Invariant: each only translates between Python and the
// core.
#pragma once

#include <nanobind/nanobind.h>

namespace ramify::python {

void register_counts(nanobind::module_& m);
void register_selection(nanobind::module_& m);
void register_table(nanobind::module_& m);
void register_reading(nanobind::module_& m);
void register_tree(nanobind::module_& m);
void register_splits(nanobind::module_& m);
void register_growth(nanobind::module_& m);
void register_regrowth(nanobind::module_& m);
void register_stream(nanobind::module_& m);
void register_importance(nanobind::module_& m);
void register_pruning(nanobind::module_& m);
void register_bottom_up(nanobind::module_& m);
void register_discretize(nanobind::module_& m);
void register_features(nanobind::module_& m);
void register_optimal(nanobind::module_& m);
void register_edit(nanobind::module_& m);
void register_near(nanobind::module_& m);
void register_budget(nanobind::module_& m);

}  // namespace ramify::python
