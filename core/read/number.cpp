#include "read/number.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <version>

#ifndef __cpp_lib_to_chars
#include <locale>
#include <sstream>
#endif

#include "read/unicode.hpp"

namespace ramify {
namespace {

constexpr std::array<double, 23> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_digit(char sign) {
    return sign >= '0' && sign <= '9';
}

// Unsigned digits with a point and an exponent, as the parts of a number.
struct Decimal {
    std::uint64_t digits = 0;  // of both parts, modulo 2**64
    std::size_t whole = 0;     // digits before the point
    std::size_t fraction = 0;  // digits behind it
    bool point = false;
    std::int64_t exponent = 0;  // as written; beyond a million it stays there
    bool has_exponent = false;
    const char* end = nullptr;  // the first sign that does not belong to it
};

Decimal scan(const char* at, const char* end, char point) {
    Decimal found;
    const auto digits = [&] {
        const char* const first = at;
        for (; at != end && is_digit(*at); ++at) {
            found.digits = found.digits * 10 + static_cast<std::uint64_t>(*at - '0');
        }
        return static_cast<std::size_t>(at - first);
    };
    found.whole = digits();
    if (at != end && *at == point) {
        found.point = true;
        ++at;
        found.fraction = digits();
    }
    found.end = at;
    if (at == end || (*at != 'e' && *at != 'E')) return found;
    ++at;
    const bool negative = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    if (at == end || !is_digit(*at)) return found;
    for (; at != end && is_digit(*at); ++at) {
        found.exponent = std::min<std::int64_t>(found.exponent * 10 + (*at - '0'), 1'000'000);
    }
    if (negative) found.exponent = -found.exponent;
    found.has_exponent = true;
    found.end = at;
    return found;
}

// A number of many digits or of a large exponent, with a point for its decimal sign.
double read_long(const std::string& text, const Decimal& parts) {
    const std::size_t first = text.find_first_not_of("0.");
    if (first == std::string::npos || !is_digit(text[first])) return 0.0;
    double value = 0.0;
#ifdef __cpp_lib_to_chars
    const bool fits =
        std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
#else
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    const bool fits = static_cast<bool>(stream >> value);
#endif
    if (fits) return value;
    const auto place = static_cast<std::int64_t>(parts.whole) - static_cast<std::int64_t>(first);
    return place + parts.exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

bool read_word(std::string_view word, double& value) {
    const auto is = [&](std::string_view other) {
        return std::ranges::equal(word, other, [](char a, char b) { return (a | 0x20) == b; });
    };
    if (is("inf") || is("infinity")) {
        value = std::numeric_limits<double>::infinity();
    } else if (is("nan")) {
        value = std::numeric_limits<double>::quiet_NaN();
    } else {
        return false;
    }
    return true;
}

// "1_000" as "1000"; empty unless every "_" is between two digits.
std::string without_underscores(std::string_view cell) {
    std::string result;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        if (cell[i] != '_') {
            result += cell[i];
        } else if (i == 0 || i + 1 == cell.size() || !is_digit(cell[i - 1]) ||
                   !is_digit(cell[i + 1])) {
            return {};
        }
    }
    return result;
}

// A cell that no plain digits make: a word, "1_000", or digits of another script.
bool read_unusual(std::string_view cell, std::string_view unsigned_cell, NumberForm form,
                  double& value) {
    if (std::ranges::any_of(cell,
                            [](char sign) { return static_cast<unsigned char>(sign) > 127; })) {
        const std::string ascii = with_ascii_digits(cell);
        return !ascii.empty() && read_number(ascii, form, value);
    }
    if (form.lenient && cell.find('_') != std::string_view::npos) {
        const std::string digits = without_underscores(cell);
        return !digits.empty() && read_number(digits, form, value);
    }
    if (!read_word(unsigned_cell, value)) return false;
    if (cell.front() == '-') value = -value;
    return true;
}

}  // namespace

bool read_number(std::string_view cell, NumberForm form, double& value) {
    if (cell.empty()) return false;
    const bool negative = cell.front() == '-';
    const bool has_sign = negative || cell.front() == '+';
    const std::string_view rest = cell.substr(has_sign ? 1 : 0);
    const char* const end = rest.data() + rest.size();
    const Decimal parts = scan(rest.data(), end, form.decimal);
    const std::size_t digits = parts.whole + parts.fraction;
    if (digits == 0 || parts.end != end) return read_unusual(cell, rest, form, value);
    if (!form.lenient && !has_sign && parts.whole == cell.size() && digits > 1 &&
        cell.front() == '0') {
        return false;
    }
    // Both are exact doubles, so that their product or quotient is rounded once (Clinger 1990).
    constexpr std::uint64_t exact = std::uint64_t{1} << 53;
    const std::int64_t power = parts.exponent - static_cast<std::int64_t>(parts.fraction);
    if (FLT_EVAL_METHOD == 0 && digits <= 19 && parts.digits <= exact && power >= -22 &&
        power <= 22) {
        const auto mantissa = static_cast<double>(parts.digits);
        value = power < 0 ? mantissa / powers_of_ten[static_cast<std::size_t>(-power)]
                          : mantissa * powers_of_ten[static_cast<std::size_t>(power)];
    } else {
        std::string text(rest);
        if (parts.point) text[parts.whole] = '.';
        value = read_long(text, parts);
    }
    if (negative) value = -value;
    return true;
}

}  // namespace ramify
