#include "grow/distribute_impl.hpp"
#include "grow/divide_impl.hpp"
#include "grow/evaluate_absolute_impl.hpp"
#include "grow/evaluate_counts_impl.hpp"
#include "grow/evaluate_nominal_impl.hpp"
#include "grow/evaluate_ratio_impl.hpp"
#include "grow/evaluate_test_impl.hpp"
#include "grow/evaluator_impl.hpp"
#include "grow/expand_impl.hpp"
#include "grow/frontier_impl.hpp"
#include "grow/grow.hpp"
#include "grow/grower_impl.hpp"
#include "grow/root_impl.hpp"

namespace ramify {

Tree grow_classification(const Problem& problem, bool weighted, Interrupt& interrupt) {
    const bool compact = problem.table.rows() <= CompactEntry::max_rows &&
                         problem.classes <= CompactEntry::max_labels;
    if (weighted) return Grower<Policy<WideEntry, true, true>>(problem, interrupt).grow();
    if (compact) return Grower<Policy<CompactEntry, false, true>>(problem, interrupt).grow();
    return Grower<Policy<WideEntry, false, true>>(problem, interrupt).grow();
}

}  // namespace ramify
