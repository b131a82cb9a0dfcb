// Reads the beginning of a tree that is laid down, as Python gives it: one dict a part.
#pragma once

#include <nanobind/stl/vector.h>

#include "optimal/laid_down.hpp"
#include "python/arrays.hpp"

namespace ramify::python {

inline optimal::LaidDown read_laid_down(const std::vector<nb::dict>& given, std::size_t rows) {
    using optimal::LaidPart;
    optimal::LaidDown parts;
    for (const nb::dict& one : given) {
        LaidPart part;
        if (one.contains("rows")) {
            const auto some = view(nb::cast<Array1<std::int32_t>>(one["rows"]));
            part.rows.assign(some.begin(), some.end());
            for (const std::int32_t row : part.rows) {
                if (row < 0 || static_cast<std::size_t>(row) >= rows)
                    throw std::invalid_argument("laid: rows of the table");
            }
            part.depth = nb::cast<int>(one["depth"]);
            for (const bool wanted : nb::cast<std::vector<bool>>(one["wanted"]))
                part.wanted.push_back(wanted ? 1 : 0);
            for (const auto& node :
                 nb::cast<std::vector<std::vector<std::int32_t>>>(one["start"])) {
                if (node.size() != 4)
                    throw std::invalid_argument("laid: start: four numbers a node");
                part.start.push_back({node[0], node[1], node[2], node[3]});
            }
        } else {
            part.parts = nb::cast<std::vector<std::int32_t>>(one["parts"]);
            part.kind = LaidPart::Kind::choice;
            if (one.contains("column")) {
                part.kind = LaidPart::Kind::condition;
                part.column = nb::cast<std::int32_t>(one["column"]);
                part.sign = nb::cast<int>(one["sign"]);
                part.of_class = nb::cast<std::int32_t>(one["of_class"]);
                if (part.parts.size() != 2)
                    throw std::invalid_argument("laid: a condition has two parts");
            }
            for (const std::int32_t below : part.parts) {
                if (below <= static_cast<std::int32_t>(parts.size()) ||
                    static_cast<std::size_t>(below) >= given.size())
                    throw std::invalid_argument("laid: parts come after those that hold them");
            }
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

}  // namespace ramify::python
