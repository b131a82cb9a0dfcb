// The rows of a column in the order of its values: the form in which the core keeps every column.
// Invariant: rows ascend by (value, row); missing cells are left out; the bit `new_value` is set
// exactly on the first row of each distinct value. Runs of equal values are the rows of the
// column's contingency table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "support/large_memory.hpp"

namespace ramify {

inline constexpr std::uint32_t new_value = 0x80000000u;
inline constexpr std::uint32_t row_mask = 0x7fffffffu;

// A column of doubles inside somebody else's memory: any stride, not owned.
struct StridedDoubles {
    const double* data = nullptr;
    std::ptrdiff_t stride = 1;  // in elements
    double operator[](std::size_t row) const {
        return data[static_cast<std::ptrdiff_t>(row) * stride];
    }
};

// Memory that is written before it is read: not cleared first, as a vector would.
template <typename T>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t size)
        : data_(std::make_unique_for_overwrite<T[]>(size)), size_(size) {}
    // Keeps what it has if that is enough; the content is lost otherwise.
    void reserve(std::size_t size) {
        if (size > size_) *this = Buffer(size);
    }
    std::unique_ptr<T[]> release() {
        size_ = 0;
        return std::move(data_);
    }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

  private:
    std::unique_ptr<T[]> data_;
    std::size_t size_ = 0;
};

// Buffers of the sort, reused from column to column.
struct OrderWorkspace {
    std::vector<std::uint64_t, LargeAllocator<std::uint64_t>> keys;
    std::vector<std::uint64_t, LargeAllocator<std::uint64_t>> spare;
    std::vector<std::uint32_t> start;
};

// What the values of a column have in common.
struct Summary {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    bool whole = true;  // whole numbers, none of them huge

    void add(const double* values, std::size_t count);
};

// NaN is missing; infinities are ordinary values; -0.0 equals 0.0.
Buffer<std::uint32_t> order_of_values(StridedDoubles values, std::size_t rows,
                                      const Summary& summary, OrderWorkspace& workspace);

// Negative codes are missing.
Buffer<std::uint32_t> order_of_codes(std::span<const std::int32_t> codes, std::size_t levels);

}  // namespace ramify
