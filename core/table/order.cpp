#include "table/order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace ramify {
namespace {

// Unsigned integers in the order of the doubles: flip all bits of negatives, the sign bit of the
// others.
std::uint64_t sortable(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value);
    const std::uint64_t sign = std::uint64_t{1} << 63;
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

constexpr std::uint64_t upper_half = 0xffffffff00000000u;
constexpr int digit_bits = 11;
constexpr std::size_t digit_values = std::size_t{1} << digit_bits;
constexpr std::size_t digits = 3;  // 33 bits cover the upper half of a key

// Sorts by the upper 32 bits, least significant digit first; a digit that is the same everywhere
// costs nothing.
void radix_sort_upper(LargeVector<std::uint64_t>& keys, LargeVector<std::uint64_t>& spare,
                      std::size_t count) {
    if (spare.size() < count) spare.resize(count);
    std::array<std::array<std::uint32_t, digit_values>, digits> starts{};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t upper = keys[i] >> 32;
        ++starts[0][upper & (digit_values - 1)];
        ++starts[1][(upper >> digit_bits) & (digit_values - 1)];
        ++starts[2][upper >> (2 * digit_bits)];
    }
    for (std::size_t digit = 0; digit < digits; ++digit) {
        auto& start = starts[digit];
        const std::size_t shift = 32 + digit * digit_bits;
        const std::uint64_t mask = digit_values - 1;
        if (start[(keys[0] >> shift) & mask] == count) continue;
        std::uint32_t sum = 0;
        for (auto& entry : start) sum += std::exchange(entry, sum);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t key = keys[i];
            spare[start[(key >> shift) & mask]++] = key;
        }
        std::swap(keys, spare);
    }
}

// Counting sort of whole numbers: code(row) gives the number, negative if missing.
template <typename Code>
RawVector<std::uint32_t> count_order(std::size_t rows, std::size_t values, Code&& code,
                                     std::vector<std::uint32_t>& start) {
    start.assign(values + 1, 0);
    std::size_t known = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int64_t at = code(row);
        if (at < 0) continue;
        ++start[static_cast<std::size_t>(at) + 1];
        ++known;
    }
    for (std::size_t v = 0; v < values; ++v) start[v + 1] += start[v];
    RawVector<std::uint32_t> order(known);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int64_t at = code(row);
        if (at >= 0) order[start[static_cast<std::size_t>(at)]++] = static_cast<std::uint32_t>(row);
    }
    // start[v] is now the end of value v, which is where value v + 1 begins.
    if (known > 0) order[0] |= new_value;
    for (std::size_t v = 0; v < values; ++v) {
        if (start[v] < known) order[start[v]] |= new_value;
    }
    return order;
}

}  // namespace

void Summary::add(const double* values, std::size_t count) {
    double lowest = low;
    double highest = high;
    bool all_whole = true;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = values[i];
        lowest = value < lowest ? value : lowest;  // NaN never compares
        highest = value > highest ? value : highest;
        // 2^52 added and taken off again leaves whole numbers alone; NaN passes as one.
        const double large = std::copysign(4503599627370496.0, value);
        all_whole &= !((value + large) - large < value) & !((value + large) - large > value);
    }
    low = lowest;
    high = highest;
    whole = whole && all_whole && std::abs(lowest) < 1e15 && std::abs(highest) < 1e15;
}

RawVector<std::uint32_t> order_of_values(StridedDoubles values, std::size_t rows,
                                         const Summary& summary, OrderWorkspace& workspace) {
    const double low = summary.low;
    const double range = summary.high - low;
    // Whole numbers of a small range, such as counts and indicators, are counted into place.
    if (summary.whole && range < 65536.0 && range < 2.0 * static_cast<double>(rows) + 256.0) {
        const auto code = [&](std::size_t row) {
            const double value = values[row];
            return std::isnan(value) ? std::int64_t{-1} : static_cast<std::int64_t>(value - low);
        };
        return count_order(rows, static_cast<std::size_t>(range) + 1, code, workspace.start);
    }
    // The upper half of a sort key stands for the value, the lower half is the row: eight bytes
    // move per pass instead of twelve, in half the passes. Spreading the range of the values evenly
    // over the upper half leaves few values that share one; those are put in order afterwards.
    const double scale = 4294967295.0 / range;
    const bool even = std::isfinite(scale) && std::isfinite(range);
    auto& keys = workspace.keys;
    if (keys.size() < rows) keys.resize(rows);
    std::size_t count = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const double value = values[row];
        if (std::isnan(value)) continue;
        const std::uint64_t upper = even ? static_cast<std::uint64_t>((value - low) * scale) << 32
                                         : sortable(value) & upper_half;
        keys[count++] = upper | row;
    }
    RawVector<std::uint32_t> order(count);
    if (count == 0) return order;
    radix_sort_upper(keys, workspace.spare, count);

    std::vector<std::pair<std::uint64_t, std::uint32_t>> tied;
    const auto row_at = [&](std::size_t i) { return static_cast<std::uint32_t>(keys[i]); };
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin + 1;
        while (end < count && (keys[end] ^ keys[begin]) >> 32 == 0) ++end;
        if (end == begin + 1) {
            order[begin] = row_at(begin) | new_value;
            begin = end;
            continue;
        }
        const double first = values[row_at(begin)];
        bool constant = true;
        for (std::size_t i = begin + 1; i < end && constant; ++i)
            constant = values[row_at(i)] == first;
        if (constant) {
            for (std::size_t i = begin; i < end; ++i) order[i] = row_at(i);
            order[begin] |= new_value;
        } else {
            tied.clear();
            for (std::size_t i = begin; i < end; ++i)
                tied.emplace_back(sortable(values[row_at(i)]), row_at(i));
            std::sort(tied.begin(), tied.end());
            for (std::size_t i = 0; i < tied.size(); ++i) {
                const bool starts = i == 0 || tied[i].first != tied[i - 1].first;
                order[begin + i] = tied[i].second | (starts ? new_value : 0);
            }
        }
        begin = end;
    }
    return order;
}

RawVector<std::uint32_t> order_of_codes(std::span<const std::int32_t> codes, std::size_t levels) {
    std::vector<std::uint32_t> start;
    return count_order(
        codes.size(), levels, [&](std::size_t row) { return std::int64_t{codes[row]}; }, start);
}

}  // namespace ramify
