// The place of a value among the edges of a numeric column. Without cells for the edges
// themselves, place i holds the values from edge i - 1 up to but without edge i. With such cells,
// 2i + 1 is edge i, and 2i is what lies between the edges i - 1 and i. Invariant: places ascend
// with the values.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ramify {

// Puts values in buckets, in order, so that few edges are left to search: all edges in lower
// buckets are lower. Buckets are of equal width, or follow the leading bits of the value.
class Buckets {
  public:
    Buckets() = default;
    explicit Buckets(const std::vector<double>& edges) {
        std::vector<double> finite;
        for (const double edge : edges) {
            if (std::isfinite(edge)) finite.push_back(edge);
        }
        const unsigned bits =
            std::clamp(static_cast<unsigned>(std::bit_width(edges.size())) + 1, 4u, 16u);
        const std::size_t count = std::size_t{1} << bits;
        shift_ = 32 - std::min(16u, bits + 3);
        if (finite.size() < 2) return;
        low_ = finite.front();
        const double width = finite.back() - low_;
        if (!(width > 0.0) || !std::isfinite(width) ||
            !std::isfinite(static_cast<double>(count) / width))
            return;
        top_ = static_cast<double>(count - 1);
        scale_ = top_ / width;
        equal_ = true;
        const double equal = steps(finite);
        equal_ = false;
        equal_ = equal <= steps(finite);
    }

    std::size_t count() const {
        return equal_ ? static_cast<std::size_t>(top_) + 1 : std::size_t{1} << (32 - shift_);
    }
    std::size_t operator()(double value) const {
        if (equal_)
            return static_cast<std::size_t>(std::min(top_, std::max(0.0, (value - low_) * scale_)));
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value) + 0.0f);
        const std::uint32_t sign = 0x80000000u;
        return ((bits & sign) != 0 ? ~bits : bits | sign) >> shift_;
    }

  private:
    // About how many steps the searches of all edges take.
    double steps(const std::vector<double>& edges) const {
        std::vector<std::uint32_t> inside(count(), 0);
        for (const double edge : edges) ++inside[(*this)(edge)];
        double sum = 0.0;
        for (const std::uint32_t n : inside) sum += n * std::log2(1.0 + n);
        return sum;
    }

    bool equal_ = false;
    double low_ = 0.0, scale_ = 0.0, top_ = 0.0;
    unsigned shift_ = 28;
};

class Edges {
  public:
    Edges() = default;
    // `edges` ascend. `edge_cells`: the edges have cells of their own.
    Edges(std::vector<double> edges, bool edge_cells)
        : edges_(std::move(edges)), edge_cells_(edge_cells), buckets_(edges_) {
        start_.assign(buckets_.count() + 1, 0);
        for (const double edge : edges_) ++start_[buckets_(edge) + 1];
        for (std::size_t b = 0; b + 1 < start_.size(); ++b) start_[b + 1] += start_[b];
    }

    const std::vector<double>& values() const { return edges_; }
    bool edge_cells() const { return edge_cells_; }
    // If only every 2^shift-th edge counts.
    std::size_t cells(unsigned shift) const {
        const std::size_t count = edges_.size() >> shift;
        return edge_cells_ ? 2 * count + 1 : count + 1;
    }

    std::size_t place(double value, unsigned shift) const {
        if (!edge_cells_) return not_above(value) >> shift;
        const std::size_t b = buckets_(value);
        std::size_t at = start_[b];
        std::size_t end = start_[b + 1];
        // The first edge that is not below the value.
        while (at < end) {
            const std::size_t middle = at + (end - at) / 2;
            if (edges_[middle] < value) {
                at = middle + 1;
            } else {
                end = middle;
            }
        }
        const bool equal = at < edges_.size() && edges_[at] == value;
        const std::size_t mask = (std::size_t{1} << shift) - 1;
        return 2 * (at >> shift) + (equal && ((at + 1) & mask) == 0 ? 1 : 0);
    }
    // The number of edges that are not above the value.
    std::size_t not_above(double value) const {
        const std::size_t b = buckets_(value);
        std::size_t at = start_[b];
        std::size_t left = start_[b + 1] - at;
        while (left > 4) {
            const std::size_t half = left / 2;
            at += edges_[at + half - 1] <= value ? half : 0;
            left -= half;
        }
        std::size_t more = 0;
        for (std::size_t k = 0; k < left; ++k) more += edges_[at + k] <= value ? 1 : 0;
        return at + more;
    }

  private:
    std::vector<double> edges_;
    bool edge_cells_ = false;
    Buckets buckets_;
    std::vector<std::uint32_t> start_{0, 0};
};

}  // namespace ramify
