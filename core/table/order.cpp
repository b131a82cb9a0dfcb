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
constexpr int digits = 3;  // 33 bits cover the upper half of a key

// Sorts by the upper 32 bits, least significant digit first; a digit that is the same everywhere
// costs nothing.
void radix_sort_upper(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare) {
    const std::size_t count = keys.size();
    spare.resize(count);
    std::array<std::vector<std::uint32_t>, digits> starts;
    for (auto& start : starts) start.assign(digit_values, 0);
    for (const std::uint64_t key : keys) {
        const std::uint64_t upper = key >> 32;
        ++starts[0][upper & (digit_values - 1)];
        ++starts[1][(upper >> digit_bits) & (digit_values - 1)];
        ++starts[2][upper >> (2 * digit_bits)];
    }
    for (int digit = 0; digit < digits; ++digit) {
        auto& start = starts[static_cast<std::size_t>(digit)];
        const int shift = 32 + digit * digit_bits;
        const std::uint64_t mask = digit == digits - 1 ? ~std::uint64_t{0} : digit_values - 1;
        if (start[(keys[0] >> shift) & mask] == count) continue;
        std::uint32_t sum = 0;
        for (auto& entry : start) sum += std::exchange(entry, sum);
        for (const std::uint64_t key : keys) spare[start[(key >> shift) & mask]++] = key;
        keys.swap(spare);
    }
}

}  // namespace

std::vector<std::uint32_t> order_of_values(StridedDoubles values, std::size_t rows,
                                           OrderWorkspace& workspace) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t row = 0; row < rows; ++row) {
        low = std::min(low, values[row]);  // NaN never compares
        high = std::max(high, values[row]);
    }
    // The upper half of a sort key stands for the value, the lower half is the row: eight bytes
    // move per pass instead of twelve, in half the passes. Spreading the range of the values evenly
    // over the upper half leaves few values that share one; those are put in order afterwards.
    const double scale = 4294967295.0 / (high - low);
    const bool even = std::isfinite(scale) && std::isfinite(low) && std::isfinite(high);
    auto& keys = workspace.keys;
    keys.resize(rows);
    std::size_t count = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const double value = values[row];
        if (std::isnan(value)) continue;
        const std::uint64_t upper = even ? static_cast<std::uint64_t>((value - low) * scale) << 32
                                         : sortable(value) & upper_half;
        keys[count++] = upper | row;
    }
    keys.resize(count);
    std::vector<std::uint32_t> order(count);
    if (count == 0) return order;
    radix_sort_upper(keys, workspace.spare);

    std::vector<std::pair<std::uint64_t, std::uint32_t>> tied;
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin + 1;
        while (end < count && (keys[end] ^ keys[begin]) >> 32 == 0) ++end;
        const auto row_at = [&](std::size_t i) { return static_cast<std::uint32_t>(keys[i]); };
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

std::vector<std::uint32_t> order_of_codes(std::span<const std::int32_t> codes, std::size_t levels) {
    std::vector<std::uint32_t> start(levels + 1, 0);
    std::size_t known = 0;
    for (const std::int32_t code : codes) {
        if (code < 0) continue;
        ++start[static_cast<std::size_t>(code) + 1];
        ++known;
    }
    for (std::size_t level = 0; level < levels; ++level) start[level + 1] += start[level];
    std::vector<std::uint32_t> order(known);
    std::vector<bool> begun(levels, false);
    for (std::size_t row = 0; row < codes.size(); ++row) {
        if (codes[row] < 0) continue;
        const auto level = static_cast<std::size_t>(codes[row]);
        order[start[level]++] = static_cast<std::uint32_t>(row) | (begun[level] ? 0 : new_value);
        begun[level] = true;
    }
    return order;
}

}  // namespace ramify
