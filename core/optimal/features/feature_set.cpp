#include "optimal/features/feature_set.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "optimal/binary/cache.hpp"

namespace ramify::optimal {
namespace {

constexpr std::uint64_t salt_of_codes = 1;  // the codes of a feature are never taken for bits

}  // namespace

SearchColumn FeatureSet::operator[](std::size_t feature) const {
    const Feature& f = features_[feature];
    return {f.codes, f.right, f.values};
}

bool FeatureSet::binary() const {
    return of_many_codes_.empty();
}

std::size_t FeatureSet::bytes() const {
    std::size_t sum = 0;
    for (const Feature& f : features_) sum += f.right.size() * 8 + f.codes.size() * 4;
    return sum;
}

// Swapping the sides does not change it: the first row is made 0.
FeatureSet::Key FeatureSet::key_of_bits(const Bits& bits, std::int32_t column) const {
    Bits normal = bits;
    if (!normal.empty() && normal[0] & 1) {
        for (std::uint64_t& word : normal) word = ~word;
        if (rows_ % 64 != 0) normal.back() &= (std::uint64_t{1} << rows_ % 64) - 1;
    }
    const auto found = binary::fingerprint(normal.data(), normal.size(), 0);
    return {across_columns_ ? 0 : column, found.low, found.high};
}

FeatureSet::Key FeatureSet::key_of_codes(const std::vector<std::int32_t>& codes,
                                         std::int32_t column) const {
    std::vector<std::uint64_t> words((codes.size() + 1) / 2, 0);
    for (std::size_t row = 0; row < codes.size(); ++row) {
        words[row / 2] |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(codes[row]))
                          << (row % 2 * 32);
    }
    const auto found = binary::fingerprint(words.data(), words.size(), salt_of_codes);
    return {across_columns_ ? 0 : column, found.low, found.high};
}

bool FeatureSet::add_bits(std::int32_t column, Bits right) {
    std::size_t count = 0;
    for (const std::uint64_t word : right) count += static_cast<std::size_t>(std::popcount(word));
    if (count == 0 || count == rows_) return false;
    const auto next = static_cast<std::int32_t>(features_.size());
    if (!seen_.emplace(key_of_bits(right, column), next).second) return false;
    features_.push_back({column, 2, std::move(right), {}});
    return true;
}

bool FeatureSet::add_codes(std::int32_t column, std::vector<std::int32_t> codes) {
    if (codes.empty()) return false;
    const auto [low, high] = std::minmax_element(codes.begin(), codes.end());
    const std::int32_t least = *low, last = *high;
    if (least == last) return false;
    if (last <= 1) {
        Bits right = no_rows();
        for (std::size_t row = 0; row < rows_; ++row) {
            right[row / 64] |= static_cast<std::uint64_t>(codes[row] > 0) << row % 64;
        }
        return add_bits(column, std::move(right));
    }
    const Key key = key_of_codes(codes, column);
    std::vector<std::int32_t> mirrored(codes.size());
    std::transform(codes.begin(), codes.end(), mirrored.begin(),
                   [last](std::int32_t code) { return last - code; });
    if (seen_.contains(key) || seen_.contains(key_of_codes(mirrored, column))) return false;
    const auto next = static_cast<std::int32_t>(features_.size());
    seen_.emplace(key, next);
    of_many_codes_.push_back(next);
    features_.push_back({column, last + 1, {}, std::move(codes)});
    return true;
}

// The code that divides the rows in this way, and whether the sides are swapped.
std::optional<std::pair<std::int32_t, bool>> FeatureSet::cut(const Feature& feature,
                                                             const Bits& left) const {
    constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
    std::int32_t left_low = none, right_low = none, left_high = -1, right_high = -1;
    for (std::size_t row = 0; row < rows_; ++row) {
        const std::int32_t code = feature.codes[row];
        if (bit_of(left, row)) {
            left_low = std::min(left_low, code);
            left_high = std::max(left_high, code);
        } else {
            right_low = std::min(right_low, code);
            right_high = std::max(right_high, code);
        }
        if (left_high >= right_low && right_high >= left_low) return std::nullopt;
    }
    if (left_high < 0 || right_high < 0) return std::pair{-1, false};
    return left_high < right_low ? std::pair{left_high, false} : std::pair{right_high, true};
}

std::optional<FeatureSet::Place> FeatureSet::find(const Bits& left, std::int32_t column) const {
    if (const auto known = seen_.find(key_of_bits(left, column)); known != seen_.end()) {
        const auto& bits = features_[static_cast<std::size_t>(known->second)].right;
        return Place{known->second, 0, bit_of(left, 0) == bit_of(bits, 0)};
    }
    for (const bool own : {true, false}) {
        if (!own && !across_columns_) break;
        for (const std::int32_t f : of_many_codes_) {
            const Feature& feature = features_[static_cast<std::size_t>(f)];
            if ((feature.column == column) != own) continue;
            if (const auto found = cut(feature, left)) return Place{f, found->first, found->second};
        }
    }
    return std::nullopt;
}

FeatureSet::Place FeatureSet::find_or_add(const Bits& left, std::int32_t column) {
    if (const auto found = find(left, column)) return *found;
    Bits right = left;
    for (std::uint64_t& word : right) word = ~word;
    if (rows_ % 64 != 0) right.back() &= (std::uint64_t{1} << rows_ % 64) - 1;
    add_bits(column, std::move(right));
    return {static_cast<std::int32_t>(features_.size()) - 1, 0, false};
}

}  // namespace ramify::optimal
