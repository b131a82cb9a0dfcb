// The questions that a search may ask, as divisions of the rows. A feature of two codes is a bit a
// row, set on the right; a feature of more codes, all thresholds of a column, is a code a row.
// Invariant: no feature is constant, and no two divide the rows in the same way, swapped sides or
// not, unless they belong to different columns and `across_columns` is false.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "optimal/problem.hpp"

namespace ramify::optimal {

using Bits = std::vector<std::uint64_t>;

inline bool bit_of(const Bits& bits, std::size_t row) {
    return bits[row / 64] >> row % 64 & 1;
}

class FeatureSet {
  public:
    explicit FeatureSet(std::size_t rows, bool across_columns = true)
        : rows_(rows), across_columns_(across_columns) {}

    // A split, and whether it has the sides swapped.
    struct Place {
        std::int32_t feature;
        std::int32_t code;
        bool swapped;
    };

    std::size_t rows() const { return rows_; }
    std::size_t size() const { return features_.size(); }
    std::int32_t column(std::size_t feature) const { return features_[feature].column; }
    SearchColumn operator[](std::size_t feature) const;
    bool binary() const;  // no feature has more than two codes
    std::size_t bytes() const;

    // Adds a feature, unless it is constant or there is one like it. Tells whether it was added.
    bool add_bits(std::int32_t column, Bits right);
    bool add_codes(std::int32_t column, std::vector<std::int32_t> codes);

    // The split that sends exactly the rows of `left` to one side. The features of `column` are
    // tried first.
    std::optional<Place> find(const Bits& left, std::int32_t column) const;
    // The same; if there is none, it is added.
    Place find_or_add(const Bits& left, std::int32_t column);

    Bits no_rows() const { return Bits((rows_ + 63) / 64, 0); }

  private:
    struct Feature {
        std::int32_t column;
        std::int32_t values;
        Bits right;
        std::vector<std::int32_t> codes;
    };
    struct Key {
        std::int32_t column;  // 0 if features are compared across columns
        std::uint64_t low, high;
        auto operator<=>(const Key&) const = default;
    };

    Key key_of_bits(const Bits& bits, std::int32_t column) const;
    Key key_of_codes(const std::vector<std::int32_t>& codes, std::int32_t column) const;
    std::optional<std::pair<std::int32_t, bool>> cut(const Feature& feature,
                                                     const Bits& left) const;

    std::size_t rows_;
    bool across_columns_;
    std::vector<Feature> features_;
    std::map<Key, std::int32_t> seen_;
    std::vector<std::int32_t> of_many_codes_;
};

}  // namespace ramify::optimal
