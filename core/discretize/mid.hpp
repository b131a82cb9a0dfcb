// The Minimum Impurity Discretizer (Dal Maso 2024, Algorithm 4): one ranking of the thresholds of
// all numeric columns. Invariant: the first n of a ranking are the ranking of length n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "discretize/blocks.hpp"
#include "discretize/numbers.hpp"
#include "support/choices.hpp"
#include "support/interrupt.hpp"

namespace ramify {

enum class CutImpurity : std::uint8_t { entropy, gini };
template <>
inline constexpr auto names_of<CutImpurity> = list_names("entropy", "gini");

struct RankedCut {
    std::size_t attribute = 0;
    double threshold = 0.0;  // value <= threshold
    double gain = 0.0;  // how much it lowers the impurity of the column, after the cuts before it
};

struct RankOptions {
    CutImpurity impurity = CutImpurity::entropy;
    std::size_t limit = static_cast<std::size_t>(-1);
    bool mdl = false;  // a column ends at its first cut that the MDL criterion rejects
    int threads = 1;
    std::vector<bool> columns{};  // that are ranked; empty: all

    bool wants(std::size_t column) const { return columns.empty() || columns[column]; }
};

// Ties go to the lowest column, then to the lowest threshold. Rows that lack a column take no part
// in its cuts; in the gain they count as weight that gains nothing.
std::vector<RankedCut> rank_cuts(const LabelledTable& data, const RankOptions& options,
                                 Interrupt& interrupt);

// The same for a numeric target, by the variance. The impurity in the options is ignored.
std::vector<RankedCut> rank_cuts(const NumberedTable& data, const RankOptions& options,
                                 Interrupt& interrupt);

}  // namespace ramify
