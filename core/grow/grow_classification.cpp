#include "grow/expand_impl.hpp"
#include "grow/grow.hpp"

namespace ramify {

Tree grow_classification(const Problem& problem, bool weighted, Interrupt& interrupt) {
    const bool compact = problem.table.rows() <= CompactEntry::max_rows &&
                         problem.classes <= CompactEntry::max_labels;
    if (weighted) return Grower<Policy<WideEntry, true, true>>(problem, interrupt).grow();
    if (compact) return Grower<Policy<CompactEntry, false, true>>(problem, interrupt).grow();
    return Grower<Policy<WideEntry, false, true>>(problem, interrupt).grow();
}

}  // namespace ramify
