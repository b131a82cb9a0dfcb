// What a reader of UTF-8 text must know of Unicode: white space, decimal digits, characters.
// Invariant: text that is not UTF-8 is never read beyond its end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ramify {

// The text without the white space around it, that of Unicode included.
std::string_view trim(std::string_view text);

// The text with the decimal digits of all scripts as 0 to 9; empty if it has any other character
// beyond ASCII.
std::string with_ascii_digits(std::string_view text);

std::size_t count_characters(std::string_view text);

// Where the character of that number (from 0) begins; the end of the text if there are fewer.
std::size_t find_character(std::string_view text, std::size_t number);

// The lines that end in the text: at "\n", "\r" or "\r\n".
std::size_t count_line_ends(std::string_view text);

}  // namespace ramify
