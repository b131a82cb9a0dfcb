#include "grow/branch_support_impl.hpp"
#include "grow/distribute_impl.hpp"
#include "grow/divide_impl.hpp"
#include "grow/evaluate_absolute_impl.hpp"
#include "grow/evaluate_counts_impl.hpp"
#include "grow/evaluate_merged_impl.hpp"
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

namespace {

template <typename Use>
auto by_policy(const Problem& problem, bool weighted, Use&& use) {
    const bool compact = problem.table.rows() <= CompactEntry::max_rows &&
                         problem.classes <= CompactEntry::max_labels;
    if (weighted) return use.template operator()<Policy<WideEntry, true, true>>();
    if (compact) return use.template operator()<Policy<CompactEntry, false, true>>();
    return use.template operator()<Policy<WideEntry, false, true>>();
}

}  // namespace

Tree grow_classification(const Problem& problem, bool weighted, Interrupt& interrupt) {
    return by_policy(problem, weighted,
                     [&]<typename P>() { return Grower<P>(problem, interrupt).grow(); });
}

std::unique_ptr<Stepwise> start_classification(const Problem& problem, bool weighted,
                                               Interrupt& interrupt) {
    return by_policy(problem, weighted,
                     [&]<typename P>() { return start_growing<P>(problem, interrupt); });
}

}  // namespace ramify
