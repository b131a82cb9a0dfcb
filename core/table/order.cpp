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
Ordered count_order(std::size_t rows, std::size_t values, Code&& code,
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
    Ordered result;
    auto& order = result.order;
    order.resize(known);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int64_t at = code(row);
        if (at >= 0) order[start[static_cast<std::size_t>(at)]++] = static_cast<std::uint32_t>(row);
    }
    // start[v] is now the end of value v, which is where value v + 1 begins.
    std::uint32_t begin = 0;
    for (std::size_t v = 0; v < values; ++v) {
        if (start[v] == begin) continue;
        order[begin] |= new_value;
        result.run(begin, start[v]);
        begin = start[v];
    }
    return result;
}

// Two values, neither of them missing: one pass, and nothing to count.
template <typename Upper>
Ordered order_of_two(std::size_t rows, Upper&& upper, RawVector<std::uint32_t>& upper_rows) {
    Ordered result;
    auto& order = result.order;
    order.resize(rows);
    if (upper_rows.size() < rows) upper_rows.resize(rows);
    std::size_t lower = 0;
    std::size_t higher = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t is_upper = upper(row);
        order[lower] = upper_rows[higher] = static_cast<std::uint32_t>(row);
        lower += 1 - is_upper;
        higher += is_upper;
    }
    std::copy_n(upper_rows.begin(), higher, order.begin() + static_cast<std::ptrdiff_t>(lower));
    order[0] |= new_value;
    order[lower] |= new_value;
    result.run(0, lower);
    result.run(lower, rows);
    return result;
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
        // Adding 2^52 and taking it off again changes no whole number. NaN passes as a whole
        // number.
        const double large = std::copysign(4503599627370496.0, value);
        all_whole &= !((value + large) - large < value) & !((value + large) - large > value);
    }
    low = lowest;
    high = highest;
    whole = whole && all_whole && std::abs(lowest) < 1e15 && std::abs(highest) < 1e15;
}

Ordered order_of_values(StridedDoubles values, std::size_t rows, const Summary& summary,
                        OrderWorkspace& workspace) {
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
    Ordered result;
    auto& order = result.order;
    order.resize(count);
    if (count == 0) return result;
    radix_sort_upper(keys, workspace.spare, count);

    std::vector<std::pair<std::uint64_t, std::uint32_t>> tied;
    const auto row_at = [&](std::size_t i) { return static_cast<std::uint32_t>(keys[i]); };
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin + 1;
        while (end < count && (keys[end] ^ keys[begin]) >> 32 == 0) ++end;
        if (end == begin + 1) {
            order[begin] = row_at(begin) | new_value;
            result.run(begin, end);
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
            result.run(begin, end);
        } else {
            tied.clear();
            for (std::size_t i = begin; i < end; ++i)
                tied.emplace_back(sortable(values[row_at(i)]), row_at(i));
            std::sort(tied.begin(), tied.end());
            for (std::size_t i = 0; i < tied.size();) {
                std::size_t next = i;
                for (; next < tied.size() && tied[next].first == tied[i].first; ++next)
                    order[begin + next] = tied[next].second;
                order[begin + i] |= new_value;
                result.run(begin + i, begin + next);
                i = next;
            }
        }
        begin = end;
    }
    return result;
}

Ordered order_of_codes(std::span<const std::int32_t> codes, std::size_t levels) {
    std::vector<std::uint32_t> start;
    return count_order(
        codes.size(), levels, [&](std::size_t row) { return std::int64_t{codes[row]}; }, start);
}

bool to_small_numbers(StridedDoubles values, std::size_t begin, std::size_t end, SmallNumber* to) {
    constexpr double lowest = std::numeric_limits<SmallNumber>::min();
    constexpr double highest = std::numeric_limits<SmallNumber>::max();
    bool small = true;
    for (std::size_t row = begin; row < end; ++row) {
        const double value = values[row];
        const bool inside = value >= lowest && value <= highest;  // never NaN
        const auto number = static_cast<std::int32_t>(inside ? value : 0.0);
        small &= inside & (static_cast<double>(number) == value);
        to[row] = static_cast<SmallNumber>(number);
    }
    return small;
}

Ordered order_of_small_numbers(std::span<const SmallNumber> numbers, OrderWorkspace& workspace) {
    const std::size_t rows = numbers.size();
    if (rows == 0) return {};
    SmallNumber low = numbers[0];
    SmallNumber high = numbers[0];
    for (const SmallNumber number : numbers) {
        low = std::min(low, number);
        high = std::max(high, number);
    }
    if (high == low + 1) {
        return order_of_two(
            rows, [&](std::size_t row) { return numbers[row] == high ? 1u : 0u; },
            workspace.upper_rows);
    }
    return count_order(
        rows, static_cast<std::size_t>(high - low) + 1,
        [&](std::size_t row) { return std::int64_t{numbers[row]} - low; }, workspace.start);
}

}  // namespace ramify
