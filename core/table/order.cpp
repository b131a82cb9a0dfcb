#include "table/order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "table/bucket_sort.hpp"

namespace ramify {
namespace {

// Unsigned integers in the order of the numbers: flip all bits of negatives, the sign bit of the
// others.
template <Number T>
auto sortable(T value) {
    using Bits = std::conditional_t<std::same_as<T, float>, std::uint32_t, std::uint64_t>;
    const auto bits = std::bit_cast<Bits>(value == T{0} ? T{0} : value);
    const Bits sign = Bits{1} << (sizeof(Bits) * 8 - 1);
    return (bits & sign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
}

// Keys of 32 bits for the values of a column, and buckets for the keys. Invariant: both ascend with
// the values.
template <Number T>
class ValueKeys {
  public:
    // Values of the same key are equal.
    static constexpr bool exact = std::same_as<T, float>;

    ValueKeys(const Summary& summary, std::size_t rows) : low_(summary.low) {
        const double range = summary.high - summary.low;
        scale_ = 4294967295.0 / range;
        even_ = std::isfinite(scale_) && std::isfinite(range);
        if (even_) bits_ = bucket_bits(rows);
    }

    std::size_t buckets() const { return std::size_t{1} << bits_; }
    // All bits of a float. Of a double only 32 bits: spreading the range of the values evenly over
    // them leaves few values that share a key.
    std::uint32_t key(T value) const {
        if constexpr (exact) {
            return sortable(value);
        } else {
            return even_ ? spread(value) : static_cast<std::uint32_t>(sortable(value) >> 32);
        }
    }
    // The range of the values is divided evenly.
    std::size_t bucket(T value) const { return bits_ == 0 ? 0 : spread(value) >> (32 - bits_); }

  private:
    std::uint32_t spread(T value) const {
        return static_cast<std::uint32_t>((static_cast<double>(value) - low_) * scale_);
    }

    double low_;
    double scale_ = 0.0;
    bool even_ = false;
    unsigned bits_ = 0;
};

// Writes the rows of a sorted bucket to `order`, from `first` on. Values that share a key but are
// not equal are put in order on the way.
template <Number T>
class BucketWriter {
  public:
    BucketWriter(std::span<const T> values, Ordered& to) : values_(values), to_(to) {}

    void write(std::span<const KeyedRow> words, std::size_t first) {
        for (std::size_t begin = 0; begin < words.size();) {
            std::size_t end = begin + 1;
            while (end < words.size() && key_of(words[end]) == key_of(words[begin])) ++end;
            const std::span<const KeyedRow> same = words.subspan(begin, end - begin);
            if (ValueKeys<T>::exact || end == begin + 1 || equal(same)) {
                std::uint32_t* order = to_.order.data() + first + begin;
                for (std::size_t i = 0; i < same.size(); ++i) order[i] = row_of(same[i]);
                *order |= new_value;
                to_.run(first + begin, first + end);
            } else {
                write_unequal(same, first + begin);
            }
            begin = end;
        }
    }

  private:
    bool equal(std::span<const KeyedRow> same) const {
        const T value = values_[row_of(same[0])];
        return std::all_of(same.begin() + 1, same.end(),
                           [&](KeyedRow word) { return values_[row_of(word)] == value; });
    }
    void write_unequal(std::span<const KeyedRow> same, std::size_t first) {
        tied_.clear();
        for (const KeyedRow word : same)
            tied_.emplace_back(sortable(values_[row_of(word)]), row_of(word));
        std::sort(tied_.begin(), tied_.end());
        for (std::size_t i = 0; i < tied_.size();) {
            std::size_t next = i;
            for (; next < tied_.size() && tied_[next].first == tied_[i].first; ++next)
                to_.order[first + next] = tied_[next].second;
            to_.order[first + i] |= new_value;
            to_.run(first + i, first + next);
            i = next;
        }
    }

    std::span<const T> values_;
    Ordered& to_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> tied_;
};

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

template <Number T>
void Summary::add(const T* values, std::size_t count) {
    double lowest = low;
    double highest = high;
    bool all_whole = true;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = static_cast<double>(values[i]);
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

namespace {

// Keys that are sorted all at once need not be counted first.
template <Number T>
Ordered order_of_one_bucket(std::span<const T> values, const ValueKeys<T>& keys_of,
                            OrderWorkspace& workspace) {
    auto& words = workspace.keys;
    auto& spare = workspace.spare;
    if (words.size() < values.size()) words.resize(values.size());
    std::size_t count = 0;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (std::isnan(values[row])) continue;
        words[count++] = keyed(keys_of.key(values[row]), static_cast<std::uint32_t>(row));
    }
    Ordered result;
    result.order.resize(count);
    if (count == 0) return result;
    if (spare.size() < count) spare.resize(count);
    BucketWriter<T> writer(values, result);
    writer.write(sort_bucket({words.data(), count}, {spare.data(), count}), 0);
    return result;
}

}  // namespace

template <Number T>
Ordered order_of_values(std::span<const T> values, const Summary& summary,
                        OrderWorkspace& workspace) {
    const std::size_t rows = values.size();
    const double low = summary.low;
    const double range = summary.high - low;
    auto& start = workspace.start;
    // Whole numbers of a small range, such as counts and indicators, are counted into place.
    if (summary.whole && range < 65536.0 && range < 2.0 * static_cast<double>(rows) + 256.0) {
        const auto code = [&](std::size_t row) {
            const auto value = static_cast<double>(values[row]);
            return std::isnan(value) ? std::int64_t{-1} : static_cast<std::int64_t>(value - low);
        };
        return count_order(rows, static_cast<std::size_t>(range) + 1, code, start);
    }
    const ValueKeys<T> keys_of(summary, rows);
    if (keys_of.buckets() == 1) return order_of_one_bucket(values, keys_of, workspace);
    start.assign(keys_of.buckets() + 1, 0);
    for (const T value : values) {
        if (!std::isnan(value)) ++start[keys_of.bucket(value) + 1];
    }
    std::size_t largest = 0;
    for (std::size_t b = 0; b < keys_of.buckets(); ++b) {
        largest = std::max<std::size_t>(largest, start[b + 1]);
        start[b + 1] += start[b];
    }
    const std::size_t count = start.back();
    Ordered result;
    result.order.resize(count);
    if (count == 0) return result;
    auto& words = workspace.keys;
    auto& spare = workspace.spare;
    if (words.size() < count) words.resize(count);
    if (spare.size() < largest) spare.resize(largest);
    for (std::size_t row = 0; row < rows; ++row) {
        const T value = values[row];
        if (std::isnan(value)) continue;
        words[start[keys_of.bucket(value)]++] =
            keyed(keys_of.key(value), static_cast<std::uint32_t>(row));
    }
    // start[b] is now the end of bucket b.
    BucketWriter<T> writer(values, result);
    std::size_t begin = 0;
    for (std::size_t b = 0; b < keys_of.buckets(); ++b) {
        const std::size_t size = start[b] - begin;
        writer.write(sort_bucket({words.data() + begin, size}, {spare.data(), size}), begin);
        begin += size;
    }
    return result;
}

Ordered order_of_codes(std::span<const std::int32_t> codes, std::size_t levels) {
    std::vector<std::uint32_t> start;
    return count_order(
        codes.size(), levels, [&](std::size_t row) { return std::int64_t{codes[row]}; }, start);
}

template <Number T>
bool to_small_numbers(Strided<T> values, std::size_t begin, std::size_t end, SmallNumber* to) {
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

template void Summary::add(const double*, std::size_t);
template void Summary::add(const float*, std::size_t);
template Ordered order_of_values(std::span<const double>, const Summary&, OrderWorkspace&);
template Ordered order_of_values(std::span<const float>, const Summary&, OrderWorkspace&);
template bool to_small_numbers(Strided<double>, std::size_t, std::size_t, SmallNumber*);
template bool to_small_numbers(Strided<float>, std::size_t, std::size_t, SmallNumber*);

}  // namespace ramify
