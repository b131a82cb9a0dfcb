// The best split of one attribute at one node, before the node has chosen its attribute. Invariant:
// a candidate that is not valid() cannot split the node.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "counts/beyond_chance.hpp"
#include "counts/independence.hpp"
#include "node/segment.hpp"
#include "tree/tree.hpp"

namespace ramify {

// What the best split of an attribute gains, for its comparison with chance (evaluate/chance.hpp).
struct ChanceEvidence {
    bool entered = false;  // false: no split, or every level has one row
    bool of_levels = false;
    bool complete = true;  // judged by all rows of the node, at cuts of its own rows only
    double share = 0.0;    // of the impurity, by the Gini index or squared error
    double tries = 1.0;    // ways to place the rows without a value
    double least = 0.0;    // the support that a side of a cut must have
    double known_rows = 0.0, known_support = 0.0;
    ChanceLevels levels;
    ChanceTarget own;  // of the rows with a value, if only these are judged
    bool only_known = false;
};

struct Candidate {
    double gain = -std::numeric_limits<double>::infinity();
    ConditionKind kind = ConditionKind::leaf;  // leaf: the attribute cannot split the node
    // Gain ratio: the information gain of the same partition.
    double information = 0.0;
    // The share of the smallest branch, where ties are decided by it.
    double balance = 0.0;
    IndependenceTest test;
    ChanceEvidence chance;
    bool pending = false;  // tested, but not yet searched for its best split
    std::int32_t missing_to = -1;
    Boundary boundary;     // threshold
    bool counted = false;  // found from codes: a threshold between these two, not at a boundary
    std::int32_t lower_code = 0, upper_code = 0;
    bool known_only = false;  // threshold: all known values against the missing ones
    std::size_t branches = 2;
    std::vector<std::int32_t> branch_of_level;  // per level present at the node, ascending by code
    std::vector<std::int32_t> level_codes;      // if counted: their codes
    bool partial = false;                       // if counted: some rows of the node lack a value

    bool valid() const { return kind != ConditionKind::leaf; }
    void reset() {
        gain = -std::numeric_limits<double>::infinity();
        kind = ConditionKind::leaf;
        balance = 0.0;
        missing_to = -1;
        test = {};
        chance.entered = false;
        pending = false;
        known_only = counted = partial = false;
        branches = 2;
    }
};

}  // namespace ramify
