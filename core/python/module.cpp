// The map of the bindings: one register_<noun> per noun, no logic here.
#include <nanobind/nanobind.h>

#include "python/register.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of Ramify.";
    ramify::python::register_table(m);
    ramify::python::register_tree(m);
    ramify::python::register_growth(m);
}
