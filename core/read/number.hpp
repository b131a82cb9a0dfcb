// Numbers as text writes them. Invariant: a cell is read exactly as the nearest double, whatever
// the locale, or refused as a whole.
#pragma once

#include <string_view>

namespace ramify {

struct NumberForm {
    char decimal = '.';
    // Takes "007" and "1_000" for numbers. Otherwise a leading zero is the mark of a code.
    bool lenient = false;
};

// Reads a cell that has no white space around it: decimal digits with or without fraction and
// exponent, "inf", "infinity" or "nan" in letters of any case. False: it is not a number.
bool read_number(std::string_view cell, NumberForm form, double& value);

}  // namespace ramify
