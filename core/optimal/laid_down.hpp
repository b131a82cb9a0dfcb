// The beginning of a tree that is laid down, as the searches for several branches at once read it.
// A part is a branch that may go on, a condition with two parts, or a choice between conditions
// that differ in where rows without a value go. A condition of more branches is the first of them
// and a rest. Invariant: part 0 is the root; parts come after those that hold them.
#pragma once

#include <cstdint>
#include <vector>

#include "optimal/problem.hpp"

namespace ramify::optimal {

struct LaidPart {
    enum class Kind : std::uint8_t { branch, condition, choice };
    Kind kind = Kind::branch;
    std::vector<std::int32_t> parts;  // two of a condition; any number of a choice

    // A condition: its column, the sign of the order that it asks of its two parts (1: the first
    // must not predict more), and the class that is meant.
    std::int32_t column = -1;
    int sign = 0;
    std::int32_t of_class = 0;

    // A branch.
    std::vector<std::int32_t> rows;  // ascending
    int depth = 0;                   // how many levels it may have
    std::vector<std::uint8_t>
        wanted;      // by column of the table: whether it may be asked; empty: all
    NodeList start;  // a tree to begin with; may be empty
};
using LaidDown = std::vector<LaidPart>;

}  // namespace ramify::optimal
