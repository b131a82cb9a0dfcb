#include "grow/grow.hpp"

#include <algorithm>

#include "node/entry.hpp"

namespace ramify {
namespace {

const Growths& growths_of(const Problem& problem) {
    const bool weighted = has_weights(problem);
    if (problem.classes == 0) return weighted ? weighted_numbers : numbers;
    if (weighted) return weighted_classes;
    const bool compact = problem.table.rows() <= CompactEntry::max_rows &&
                         problem.classes <= CompactEntry::max_labels;
    return compact ? compact_classes : wide_classes;
}

}  // namespace

bool has_weights(const Problem& problem) {
    return !problem.fractions.empty() || std::any_of(problem.weights.begin(), problem.weights.end(),
                                                     [](double weight) { return weight != 1.0; });
}

ColumnForms forms_of(const Problem& problem, bool weighted) {
    // Cells of numbers have no sums of squares, which the caller's own criterion gets.
    const WalkKind kind = problem.criterion->walk_kind();
    const bool in_order =
        kind == WalkKind::ranks || (problem.classes == 0 && kind == WalkKind::any);
    return column_forms(problem.table, problem.parameters,
                        {problem.classes > 0, in_order, weighted});
}

Tree grow(const Problem& problem, Interrupt& interrupt) {
    return growths_of(problem).grow(problem, interrupt);
}

std::unique_ptr<Stepwise> grow_stepwise(const Problem& problem, Interrupt& interrupt) {
    return growths_of(problem).start(problem, interrupt);
}

}  // namespace ramify
