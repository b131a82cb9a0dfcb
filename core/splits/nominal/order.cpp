#include "splits/nominal/order.hpp"

#include <bit>
#include <utility>

namespace ramify {
namespace {

constexpr std::size_t few = 512;  // that a comparing sort orders faster

std::vector<std::size_t> order_by_comparing(const std::vector<double>& steps) {
    std::vector<std::pair<double, std::size_t>> pairs(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) pairs[i] = {steps[i], i};
    std::sort(pairs.begin(), pairs.end());
    std::vector<std::size_t> order(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) order[i] = pairs[i].second;
    return order;
}

// Sorts by the bits from `shift` on, below which the words ascend already.
void radix_sort(std::vector<std::uint64_t>& words, unsigned shift, unsigned end) {
    constexpr unsigned digit_bits = 11;
    std::vector<std::uint64_t> other(words.size());
    std::array<std::uint32_t, std::size_t{1} << digit_bits> start;
    for (; shift < end; shift += digit_bits) {
        const auto digit = [&](std::uint64_t word) { return (word >> shift) % start.size(); };
        start.fill(0);
        for (const std::uint64_t word : words) ++start[digit(word)];
        if (start[digit(words[0])] == words.size()) continue;
        std::uint32_t sum = 0;
        for (std::uint32_t& of_digit : start) sum += std::exchange(of_digit, sum);
        for (const std::uint64_t word : words) other[start[digit(word)]++] = word;
        words.swap(other);
    }
}

}  // namespace

std::vector<std::size_t> order_of_steps(const std::vector<double>& steps) {
    if (steps.size() < few) return order_by_comparing(steps);
    const auto [low, high] = std::minmax_element(steps.begin(), steps.end());
    // Number and position share one word, if they fit.
    const auto position_bits = static_cast<unsigned>(std::bit_width(steps.size()));
    constexpr double exact = 4503599627370496.0;  // differences of larger numbers may be rounded
    if (!(*low > -exact && *high < exact)) return order_by_comparing(steps);
    const auto range = static_cast<std::uint64_t>(*high - *low);
    const auto bits = static_cast<unsigned>(std::bit_width(range));
    if (bits + position_bits > 64) return order_by_comparing(steps);
    std::vector<std::uint64_t> words(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        words[i] = static_cast<std::uint64_t>(steps[i] - *low) << position_bits | i;
    radix_sort(words, position_bits, position_bits + bits);
    std::vector<std::size_t> order(steps.size());
    const std::uint64_t mask = (std::uint64_t{1} << position_bits) - 1;
    for (std::size_t i = 0; i < steps.size(); ++i) order[i] = words[i] & mask;
    return order;
}

}  // namespace ramify
