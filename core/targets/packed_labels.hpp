// The classes of all rows, to be looked up in any order. The labels of a large table are packed in
// as few bits as they need: a column in value order reads them all over the table, and those of two
// classes fit in the cache up to a hundred million rows. Invariant: the label of a row is the one
// that was given.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "support/large_memory.hpp"
#include "support/prefetch.hpp"

namespace ramify {

class PackedLabels {
  public:
    static constexpr std::size_t most_unpacked = std::size_t{1} << 16;  // rows

    PackedLabels() = default;
    // Labels of rows that are never looked up may be anything.
    PackedLabels(std::span<const std::int32_t> labels, std::size_t classes,
                 std::size_t unpacked = most_unpacked)
        : given_(labels) {
        if (labels.size() <= unpacked || classes > 256) return;
        // 1, 2, 4 or 8 bits, so that no label lies in two bytes.
        while ((std::size_t{1} << bits()) < classes) ++log_bits_;
        label_mask_ = (1u << bits()) - 1u;
        place_shift_ = 3 - log_bits_;
        place_mask_ = (1u << place_shift_) - 1u;
        packed_.assign((labels.size() >> place_shift_) + 1, 0);
        for (std::size_t row = 0; row < labels.size(); ++row) {
            const auto label = static_cast<std::uint32_t>(labels[row]) & label_mask_;
            packed_[row >> place_shift_] |= static_cast<std::uint8_t>(label << shift(row));
        }
    }

    std::uint32_t operator[](std::size_t row) const {
        if (packed_.empty()) return static_cast<std::uint32_t>(given_[row]);
        return (packed_[row >> place_shift_] >> shift(row)) & label_mask_;
    }

    // Makes the label of a row come into the cache.
    void fetch(std::size_t row) const {
        if (!packed_.empty()) prefetch_line(packed_.data() + (row >> place_shift_));
    }

  private:
    unsigned bits() const { return 1u << log_bits_; }
    unsigned shift(std::size_t row) const {
        return (static_cast<unsigned>(row) & place_mask_) << log_bits_;
    }

    std::span<const std::int32_t> given_;
    LargeVector<std::uint8_t> packed_;
    unsigned log_bits_ = 0;
    unsigned label_mask_ = 0;
    unsigned place_shift_ = 0;
    unsigned place_mask_ = 0;
};

}  // namespace ramify
