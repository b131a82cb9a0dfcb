// MDLP (Fayyad and Irani 1993): a column is cut where that lowers the class entropy most, and so
// are its parts, as long as the MDL criterion accepts the cut. Invariant: thresholds ascend.
#pragma once

#include <vector>

#include "discretize/blocks.hpp"
#include "support/interrupt.hpp"

namespace ramify {

// The thresholds of every column.
std::vector<std::vector<double>> mdlp_cuts(const LabelledTable& data, int threads,
                                           Interrupt& interrupt);

}  // namespace ramify
