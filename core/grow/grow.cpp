#include "grow/grow.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "node/entry.hpp"

namespace ramify {
namespace {

const Growths& growths_of(const Problem& problem) {
    const bool weighted = has_weights(problem);
    if (problem.classes == 0) return weighted ? weighted_numbers : numbers;
    if (weighted) return weighted_classes;
    const std::size_t rows = problem.table.rows();
    const Entries entries = problem.entries.value_or(smallest_entries(rows, problem.classes));
    if (!fits(entries, rows, problem.classes)) {
        throw std::invalid_argument("entries '" + std::string(name_of(entries)) + "' do not hold " +
                                    std::to_string(rows) + " rows of " +
                                    std::to_string(problem.classes) + " classes");
    }
    if (entries == Entries::compact) return compact_classes;
    return entries == Entries::tall ? long_classes : wide_classes;
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
