// ChiMerge (Kerber 1992): every value is an interval; the two neighbours whose classes differ least
// by the chi-square statistic are merged, until all neighbours differ enough. Invariant: thresholds
// ascend, and no threshold separates neighbouring values of the same class.
#pragma once

#include <cstddef>
#include <vector>

#include "discretize/blocks.hpp"
#include "support/interrupt.hpp"

namespace ramify {

struct ChiMergeOptions {
    double threshold = 0.0;         // neighbours below it are merged
    std::size_t min_intervals = 1;  // merging ends here, whatever the threshold
    std::size_t max_intervals = static_cast<std::size_t>(-1);  // merging goes on until here
    int threads = 1;
};

// The thresholds of every column. Of equal statistics the lowest neighbours are merged first.
std::vector<std::vector<double>> chimerge_cuts(const LabelledTable& data,
                                               const ChiMergeOptions& options,
                                               Interrupt& interrupt);

}  // namespace ramify
