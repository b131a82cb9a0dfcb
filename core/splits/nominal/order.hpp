// Levels in ascending order of a key: of a share between zero and one, or of any numbers.
// Invariant: shares that differ by rounding alone (1e-11) are equal, and of equal keys the lower
// level comes first.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramify {

class ShareOrder {
  public:
    // Share and level share one word, so that a plain sort of numbers does.
    void sort(const std::vector<double>& share) {
        words_.resize(share.size());
        for (std::size_t i = 0; i < share.size(); ++i) {
            const double steps = std::clamp(share[i], 0.0, 2.0) * 1e11 + 0.5;
            words_[i] = static_cast<std::uint64_t>(steps) << level_bits | i;
        }
        if (words_.size() < 512) {
            std::sort(words_.begin(), words_.end());
        } else {
            radix_sort();
        }
    }
    std::uint32_t operator[](std::size_t i) const {
        return static_cast<std::uint32_t>(words_[i] & ((std::uint64_t{1} << level_bits) - 1));
    }
    std::size_t size() const { return words_.size(); }

  private:
    static constexpr int level_bits = 26;  // and 38 for the share

    // The words arrive in the order of the levels, so stable passes over the bits of the share
    // suffice.
    void radix_sort() {
        constexpr int digit_bits = 10;
        constexpr std::size_t digits = std::size_t{1} << digit_bits;
        other_.resize(words_.size());
        for (int shift = level_bits; shift < 64; shift += digit_bits) {
            std::array<std::size_t, digits + 1> start{};
            for (const auto word : words_) ++start[(word >> shift) % digits + 1];
            for (std::size_t d = 0; d < digits; ++d) start[d + 1] += start[d];
            for (const auto word : words_) other_[start[(word >> shift) % digits]++] = word;
            words_.swap(other_);
        }
    }

    std::vector<std::uint64_t> words_, other_;
};

// Positions in ascending order of whole numbers of any size; of equal ones the lower comes first.
std::vector<std::size_t> order_of_steps(const std::vector<double>& steps);

}  // namespace ramify
