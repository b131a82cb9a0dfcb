// The entrance to growth: picks the policy that fits the problem. Invariant: whichever policy grows
// a tree, the tree is the same.
#pragma once

#include <memory>

#include "columns/forms.hpp"
#include "grow/stepwise.hpp"
#include "problem/problem.hpp"

namespace ramify {

Tree grow(const Problem& problem, Interrupt& interrupt);

// Whether the rows of a problem weigh differently from the root on. Missing values that spread rows
// give them weights later, see divide.hpp.
bool has_weights(const Problem& problem);

// The forms of the columns, for several trees on one table.
ColumnForms forms_of(const Problem& problem, bool weighted);

// One growth per target and layout of entries, each compiled in a file of its own.
struct Growths {
    Tree (*grow)(const Problem&, Interrupt&);
    std::unique_ptr<Stepwise> (*start)(const Problem&, Interrupt&);
};
extern const Growths compact_classes, long_classes, wide_classes, weighted_classes;
extern const Growths numbers, weighted_numbers;

}  // namespace ramify
