// The place of a value among the edges of a numeric column. Without cells for the edges
// themselves, place i holds the values from edge i - 1 up to but without edge i. With such cells,
// 2i + 1 is edge i, and 2i is what lies between the edges i - 1 and i. Invariant: places ascend
// with the values.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramify {

class Edges {
  public:
    Edges() = default;
    // `edges` ascend. `edge_cells`: the edges have cells of their own.
    Edges(std::vector<double> edges, bool edge_cells)
        : edges_(std::move(edges)), edge_cells_(edge_cells) {
        // Where the edges of every bucket begin.
        start_.assign(buckets + 1, 0);
        for (const double edge : edges_) ++start_[bucket(edge) + 1];
        for (std::size_t b = 0; b < buckets; ++b) start_[b + 1] += start_[b];
    }

    std::size_t size() const { return edges_.size(); }
    bool edge_cells() const { return edge_cells_; }
    // If only every 2^shift-th edge counts.
    std::size_t cells(unsigned shift) const {
        const std::size_t count = edges_.size() >> shift;
        return edge_cells_ ? 2 * count + 1 : count + 1;
    }

    std::size_t place(double value, unsigned shift) const {
        // Doubles are rounded to floats in order, and the leading bits of floats are in order. So
        // all edges in lower buckets are lower.
        const std::size_t b = bucket(value);
        const double* base = edges_.data() + start_[b];
        std::size_t left = start_[b + 1] - start_[b];
        const double* const first = edges_.data();
        if (edge_cells_) {
            // The first edge that is not below the value.
            while (left > 0) {
                const std::size_t half = left / 2;
                const bool below = base[half] < value;
                base += below ? half + 1 : 0;
                left = below ? left - half - 1 : half;
            }
            const auto at = static_cast<std::size_t>(base - first);
            const bool equal = at < edges_.size() && *base == value;
            const std::size_t mask = (std::size_t{1} << shift) - 1;
            return 2 * (at >> shift) + (equal && ((at + 1) & mask) == 0 ? 1 : 0);
        }
        // The number of edges that are not above the value.
        while (left > 0) {
            const std::size_t half = left / 2;
            const bool above = base[half] > value;
            base += above ? 0 : half + 1;
            left = above ? half : left - half - 1;
        }
        return static_cast<std::size_t>(base - first) >> shift;
    }

  private:
    static constexpr unsigned bucket_bits = 16;
    static constexpr std::size_t buckets = std::size_t{1} << bucket_bits;

    static std::size_t bucket(double value) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value) + 0.0f);
        const std::uint32_t sign = 0x80000000u;
        const std::uint32_t key = (bits & sign) != 0 ? ~bits : bits | sign;
        return key >> (32 - bucket_bits);
    }

    std::vector<double> edges_;
    bool edge_cells_ = false;
    std::vector<std::uint32_t> start_{std::vector<std::uint32_t>(buckets + 1, 0)};
};

}  // namespace ramify
