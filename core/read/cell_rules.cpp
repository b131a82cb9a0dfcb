#include "read/cell_rules.hpp"

#include <cmath>
#include <limits>

#include "read/unicode.hpp"

namespace ramify {

CellRules::CellRules(const std::vector<std::string>& missing, char decimal) : decimal_(decimal) {
    for (const std::string& mark : missing) {
        const std::string_view trimmed = trim(mark);
        missing_.emplace(trimmed);
        if (trimmed.size() < 63) sizes_ |= std::uint64_t{1} << trimmed.size();
        double value = 0.0;
        if (read_number(trimmed, {decimal_, true}, value) && !std::isnan(value)) {
            marks_are_numbers_ = true;
        }
    }
}

bool CellRules::read(std::string_view cell, bool lenient, double& value) const {
    // Most cells are numbers: those are tried first, unless a mark looks like one.
    if (!marks_are_numbers_ && read_number(cell, {decimal_, lenient}, value)) return true;
    if (is_missing(cell)) {
        value = std::numeric_limits<double>::quiet_NaN();
        return true;
    }
    return marks_are_numbers_ && read_number(cell, {decimal_, lenient}, value);
}

}  // namespace ramify
