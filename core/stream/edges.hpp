// The place of a value among the edges of a numeric column. Without cells for the edges
// themselves, place i holds the values from edge i - 1 up to but without edge i. With such cells,
// 2i + 1 is edge i, and 2i is what lies between the edges i - 1 and i. Invariant: places ascend
// with the values.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
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
        if (equal_)  // a missing value is in the first bucket
            return static_cast<std::size_t>(
                static_cast<std::int32_t>(std::min(top_, std::max(0.0, (value - low_) * scale_))));
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
        for (const std::uint32_t n : inside)
            sum += static_cast<double>(n) * static_cast<double>(std::bit_width(n));
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
        : count_(edges.size()), edge_cells_(edge_cells), buckets_(edges), edges_(std::move(edges)) {
        start_.assign(buckets_.count() + 1, 0);
        for (const double edge : edges_) ++start_[buckets_(edge) + 1];
        first_step_ = std::bit_ceil(*std::max_element(start_.begin(), start_.end()) + 1) / 2;
        for (std::size_t b = 0; b + 1 < start_.size(); ++b) start_[b + 1] += start_[b];
        const bool exact = std::all_of(edges_.begin(), edges_.end(), [](double edge) {
            return static_cast<double>(static_cast<float>(edge)) == edge;
        });
        edges_.resize(count_ + 2 * first_step_, std::numeric_limits<double>::quiet_NaN());
        if (exact) narrow_.assign(edges_.begin(), edges_.end());
    }

    std::span<const double> values() const { return {edges_.data(), count_}; }
    bool edge_cells() const { return edge_cells_; }
    // If only every 2^shift-th edge counts.
    std::size_t cells(unsigned shift) const {
        const std::size_t count = count_ >> shift;
        return edge_cells_ ? 2 * count + 1 : count + 1;
    }

    // The places of some values if only every 2^shift-th edge counts; missing values have the place
    // after the last cell.
    template <std::floating_point T>
    void places(std::span<const T> values, unsigned shift, std::uint32_t* to) const {
        not_above(values, to);
        const auto hole = static_cast<std::uint32_t>(cells(shift));
        if (!edge_cells_) {
            for (std::size_t k = 0; k < values.size(); ++k)
                to[k] = std::isnan(values[k]) ? hole : to[k] >> shift;
            return;
        }
        const std::uint32_t mask = (1u << shift) - 1;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const std::uint32_t edges = to[k];
            const bool equal = edges > 0 && edges_[edges - 1] == static_cast<double>(values[k]);
            const std::uint32_t below = edges - (equal ? 1 : 0);
            const std::uint32_t place =
                2 * (below >> shift) + (equal && (edges & mask) == 0 ? 1u : 0u);
            to[k] = std::isnan(values[k]) ? hole : place;
        }
    }
    // The number of edges that are not above each of some values; 0 for missing values in buckets
    // of equal width. No step depends on what a value is compared with, so many are under way.
    template <std::floating_point T>
    void not_above(std::span<const T> values, std::uint32_t* to) const {
        for (std::size_t k = 0; k < values.size(); ++k)
            to[k] = start_[buckets_(static_cast<double>(values[k]))];
        if constexpr (std::is_same_v<T, float>) {
            if (!narrow_.empty()) return search(values, narrow_.data(), to);
        }
        search(values, edges_.data(), to);
    }

  private:
    // Edges of higher buckets are above the value, so a step that leaves the bucket is not taken.
    template <typename T, typename Edge>
    void search(std::span<const T> values, const Edge* edges, std::uint32_t* to) const {
        for (std::uint32_t step = first_step_; step > 0; step /= 2) {
            for (std::size_t k = 0; k < values.size(); ++k)
                to[k] += edges[to[k] + step - 1] <= static_cast<Edge>(values[k]) ? step : 0;
        }
    }

    std::size_t count_ = 0;
    bool edge_cells_ = false;
    Buckets buckets_;
    std::vector<std::uint32_t> start_ = std::vector<std::uint32_t>(buckets_.count() + 1, 0);
    std::uint32_t first_step_ = 0;  // the steps from here on reach all edges of a bucket
    // The edges, and then as many that no value is above as steps may reach; narrow ones if they
    // are exact.
    std::vector<double> edges_;
    std::vector<float> narrow_;
};

}  // namespace ramify
