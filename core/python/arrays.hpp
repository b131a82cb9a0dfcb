// NumPy arrays in and out. Invariant: arrays that come in are views, arrays that go out own their
// memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ramify::python {

namespace nb = nanobind;

template <typename T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using StridedArray1 = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <typename T>
using StridedArray2 = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

template <typename T>
std::span<const T> view(const Array1<T>& array) {
    return {array.data(), array.shape(0)};
}

// Gives a vector to NumPy without copying it.
template <typename Vector>
nb::object to_numpy(Vector values, std::vector<std::size_t> shape = {}) {
    auto* owner = new Vector(std::move(values));
    if (shape.empty()) shape = {owner->size()};
    nb::capsule keep(owner, [](void* p) noexcept { delete static_cast<Vector*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, typename Vector::value_type>(owner->data(), shape.size(),
                                                                        shape.data(), keep));
}

// A check that lets Python's signal handlers run, and throws what they raise.
inline void check_signals() {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace ramify::python
