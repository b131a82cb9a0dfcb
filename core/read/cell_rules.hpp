// Which cells of a file are missing, and how its numbers are written. Invariant: a mark of a
// missing cell is missing in every column, also where it could be read as a number.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "read/number.hpp"

namespace ramify {

class CellRules {
  public:
    // The marks are compared without the white space around them.
    CellRules(const std::vector<std::string>& missing, char decimal);

    // Both take cells without white space around them.
    bool is_missing(std::string_view cell) const {
        if (cell.size() < 63 && (sizes_ >> cell.size() & 1) == 0) return false;
        return missing_.contains(cell);
    }
    // A missing cell is NaN. False: the cell is a text.
    bool read(std::string_view cell, bool lenient, double& value) const;

  private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    std::unordered_set<std::string, Hash, std::equal_to<>> missing_;
    std::uint64_t sizes_ = 0;  // bit i: a mark has i bytes
    char decimal_;
    bool marks_are_numbers_ = false;
};

}  // namespace ramify
