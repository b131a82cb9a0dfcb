// How many parts the rows of a tree were divided into, by all threads together. Where every part
// counts as a row, a tree may go on dividing rows that lack most values until memory ends.
// Invariant: a tree that grows to its end makes as many parts with any number of threads, so that
// whether it is refused does not depend on them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace ramify {

class PartCount {
  public:
    // A part takes some hundred bytes in growth, together with the nodes that it keeps alive.
    explicit PartCount(std::uint64_t rows) : most_(std::max(std::uint64_t{1} << 23, 64 * rows)) {}

    void add(std::uint64_t parts) {
        if (made_.fetch_add(parts, std::memory_order_relaxed) + parts <= most_) return;
        throw std::length_error(
            "missing_count='pieces' divides the rows with missing values into more than " +
            std::to_string(most_) +
            " parts; choose missing_count='parts', or limit the tree with min_weight_split=1 or "
            "more, or with max_depth");
    }

  private:
    std::uint64_t most_;
    std::atomic<std::uint64_t> made_{0};
};

}  // namespace ramify
