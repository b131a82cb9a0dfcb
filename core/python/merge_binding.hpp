// How levels are merged, as Python says it.
#pragma once

#include <nanobind/nanobind.h>

#include "splits/nominal/merge_levels.hpp"

namespace ramify::python {

// From a dict of alpha, resplit, exhaustive and test.
MergeOptions read_merge(const nanobind::dict& given);

}  // namespace ramify::python
