#include "read/unicode.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace ramify {
namespace {

// The zeros of the scripts (category Nd); nine more digits follow each.
constexpr std::array<std::uint32_t, 65> zeros{
    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,   0xae6,   0xb66,   0xbe6,   0xc66,
    0xce6,   0xd66,   0xde6,   0xe50,   0xed0,   0xf20,   0x1040,  0x1090,  0x17e0,  0x1810,
    0x1946,  0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,  0x1c40,  0x1c50,  0xa620,  0xa8d0,
    0xa900,  0xa9d0,  0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066, 0x110f0,
    0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950,
    0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec,
    0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0};

struct Character {
    std::uint32_t code;
    std::size_t size;
};

// Most bytes around a text are letters and digits, which need no look at Unicode.
bool is_plain(char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return code > ' ' && code < 0x80;
}

bool continues(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// The character at the beginning of a text that is not empty.
Character first_of(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t size = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (size == 1) return {lead, 1};
    if (text.size() < size) return {0, text.size()};
    std::uint32_t code = lead & (0x7fU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    return {code, size};
}

Character last_of(std::string_view text) {
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 && continues(text[start])) --start;
    const Character found = first_of(text.substr(start));
    return {found.size == text.size() - start ? found.code : 0, text.size() - start};
}

bool is_space(std::uint32_t code) {
    if (code < 0x80) return code == ' ' || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
    return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
           code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

}  // namespace

std::string_view trim(std::string_view text) {
    while (!text.empty()) {
        if (is_plain(text.front())) break;
        const Character first = first_of(text);
        if (!is_space(first.code)) break;
        text.remove_prefix(first.size);
    }
    while (!text.empty()) {
        if (is_plain(text.back())) break;
        const Character last = last_of(text);
        if (!is_space(last.code)) break;
        text.remove_suffix(last.size);
    }
    return text;
}

std::string with_ascii_digits(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const auto [code, size] = first_of(text);
        if (code < 0x80) {
            result += static_cast<char>(code);
        } else {
            const auto above = std::upper_bound(zeros.begin(), zeros.end(), code);
            if (above == zeros.begin() || code - *std::prev(above) > 9) return {};
            result += static_cast<char>('0' + (code - *std::prev(above)));
        }
        text.remove_prefix(size);
    }
    return result;
}

std::size_t count_characters(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

std::size_t find_character(std::string_view text, std::size_t number) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!continues(text[i]) && number-- == 0) return i;
    }
    return text.size();
}

std::size_t count_line_ends(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        count += text[i] == '\n' ? i == 0 || text[i - 1] != '\r' : text[i] == '\r';
    }
    return count;
}

}  // namespace ramify
