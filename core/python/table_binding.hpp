// A Table together with the arrays whose memory it reads. Invariant: the arrays live as long as the
// table.
#pragma once

#include <vector>

#include "python/arrays.hpp"
#include "table/table.hpp"

namespace ramify::python {

struct BoundTable {
    explicit BoundTable(std::size_t rows) : table(rows) {}
    Table table;
    std::vector<nb::object> kept_alive;
};

}  // namespace ramify::python
