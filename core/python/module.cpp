// The map of the bindings: one register_<noun> per noun, no logic here.
#include <nanobind/nanobind.h>

#include "python/register.hpp"

NB_MODULE(_core, m) {
    // Objects that are alive when the interpreter ends (in a test runner, a notebook) deserve no
    // warning.
    nanobind::set_leak_warnings(false);
    m.doc() = "The compiled core of Ramify.";
    ramify::python::register_counts(m);
    ramify::python::register_selection(m);
    ramify::python::register_table(m);
    ramify::python::register_reading(m);
    ramify::python::register_tree(m);
    ramify::python::register_splits(m);
    ramify::python::register_growth(m);
    ramify::python::register_regrowth(m);
    ramify::python::register_stream(m);
    ramify::python::register_importance(m);
    ramify::python::register_pruning(m);
    ramify::python::register_bottom_up(m);
    ramify::python::register_discretize(m);
    ramify::python::register_features(m);
    ramify::python::register_optimal(m);
    ramify::python::register_edit(m);
    ramify::python::register_near(m);
    ramify::python::register_budget(m);
}
