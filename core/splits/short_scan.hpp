// The best threshold of a short column: all scores first, then the first of the best. Without a
// jump in the loop, a column of a few dozen rows costs a few cycles per row; the walks, which jump
// at every new best, cost twice that. Serves squared error and, since two-class Gini is twice the
// variance of the class indicator, that too.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "splits/walks.hpp"

namespace ramify {

template <std::size_t most_rows>
class ShortScan {
  public:
    // For a node of `size` rows: what the square of the left sum is divided by, for every cut.
    void prepare(std::size_t size, double min_leaf) {
        size_ = size;
        first_ = static_cast<std::size_t>(std::ceil(std::max(1.0, min_leaf)));
        for (std::size_t i = 1; i < size; ++i) {
            inverse_[i] = 1.0 / (static_cast<double>(i) * static_cast<double>(size - i));
        }
    }

    // The number of entries left of the best cut, and its reduction of variance; `value` gives an
    // entry's target less the node's mean. Cuts whose reductions differ by less than `margin` tie.
    template <typename Layout, typename Value>
    std::optional<std::pair<std::size_t, double>> best(const typename Layout::Word* entries,
                                                       double margin, Value&& value) {
        if (size_ < 2 * first_) return std::nullopt;
        double sum = 0.0;
        for (std::size_t i = 0; i < first_; ++i) sum += value(entries[i]);
        double highest = -1.0;
        const std::size_t last = size_ - first_;
        for (std::size_t i = first_; i <= last; ++i) {
            const double score = Layout::fresh(entries[i]) ? sum * sum * inverse_[i] : -1.0;
            scores_[i] = score;
            highest = score > highest ? score : highest;
            sum += value(entries[i]);
        }
        if (highest < 0.0) return std::nullopt;
        std::size_t at = first_;
        while (scores_[at] < highest - margin || scores_[at] < 0.0) ++at;
        return std::pair(at, scores_[at]);
    }

  private:
    std::size_t size_ = 0;
    std::size_t first_ = 1;
    std::array<double, most_rows> inverse_{};
    std::array<double, most_rows> scores_{};
};

}  // namespace ramify
