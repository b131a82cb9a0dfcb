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

Tree grow_regression(const Problem& problem, bool weighted, Interrupt& interrupt) {
    if (weighted) return Grower<Policy<WideEntry, true, false>>(problem, interrupt).grow();
    return Grower<Policy<RowEntry, false, false>>(problem, interrupt).grow();
}

std::unique_ptr<Stepwise> start_regression(const Problem& problem, bool weighted,
                                           Interrupt& interrupt) {
    if (weighted) return start_growing<Policy<WideEntry, true, false>>(problem, interrupt);
    return start_growing<Policy<RowEntry, false, false>>(problem, interrupt);
}

}  // namespace ramify
