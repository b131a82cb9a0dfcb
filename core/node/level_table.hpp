// The contingency table of an attribute at a node: for each level present, in the order of codes,
// the sums of its rows. Invariant: level l has the sums [l * width, (l + 1) * width) and the
// support [l]; codes are there only if the column is coded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramify {

struct LevelTable {
    std::vector<double> sums, support;
    std::vector<std::int32_t> codes;

    std::size_t size() const { return support.size(); }
    void clear() {
        sums.clear();
        support.clear();
        codes.clear();
    }
    // Adds a level of `width` zeros, and gives its sums.
    double* add(std::size_t width, double rows) {
        sums.resize(sums.size() + width, 0.0);
        support.push_back(rows);
        return sums.data() + sums.size() - width;
    }
};

}  // namespace ramify
