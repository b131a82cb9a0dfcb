// Ctrl-C during a search that keeps what it has found.
#pragma once

#include <nanobind/nanobind.h>

namespace ramify::python {

// Whether the user wants to stop. The KeyboardInterrupt is cleared, because the search returns its
// best tree.
inline bool take_signal() {
    const nanobind::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() == 0) return false;
    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nanobind::python_error();
    PyErr_Clear();
    return true;
}

}  // namespace ramify::python
