// The table of an attribute with too many levels to compare every two of them: those with the
// fewest rows are one. Invariant: that does not look at the target. A pooled level lies in the
// place of its lowest level.
#pragma once

#include <cstddef>
#include <vector>

namespace ramify {

class PooledLevels {
  public:
    // Keeps `most` levels, the pool included; of levels with equal rows, the first.
    PooledLevels(const double* sums, const double* support, std::size_t levels, std::size_t width,
                 std::size_t most);

    std::size_t levels() const { return support_.size(); }
    const double* sums() const { return sums_.data(); }  // levels x width
    const double* support() const { return support_.data(); }

    // What a pooled level got, for every level.
    template <typename T>
    std::vector<T> expand(const std::vector<T>& of_pooled) const {
        std::vector<T> of_level;
        for (const std::size_t place : place_) of_level.push_back(of_pooled[place]);
        return of_level;
    }

  private:
    std::vector<std::size_t> place_;  // per level
    std::vector<double> sums_, support_;
};

}  // namespace ramify
