#include "splits/nominal/pooled_levels.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

namespace ramify {

PooledLevels::PooledLevels(const double* sums, const double* support, std::size_t levels,
                           std::size_t width, std::size_t most)
    : place_(levels) {
    std::vector<std::size_t> heaviest(levels);
    std::iota(heaviest.begin(), heaviest.end(), std::size_t{0});
    std::stable_sort(heaviest.begin(), heaviest.end(),
                     [&](std::size_t a, std::size_t b) { return support[a] > support[b]; });
    std::vector<std::uint8_t> alone(levels, 0);
    for (std::size_t i = 0; i + 1 < most && i < levels; ++i) alone[heaviest[i]] = 1;
    std::optional<std::size_t> pool;
    for (std::size_t l = 0; l < levels; ++l) {
        const double* row = sums + l * width;
        if (alone[l] == 0 && pool) {
            place_[l] = *pool;
            for (std::size_t j = 0; j < width; ++j) sums_[*pool * width + j] += row[j];
            support_[*pool] += support[l];
            continue;
        }
        place_[l] = support_.size();
        if (alone[l] == 0) pool = place_[l];
        sums_.insert(sums_.end(), row, row + width);
        support_.push_back(support[l]);
    }
}

}  // namespace ramify
