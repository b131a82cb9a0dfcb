// What can be said of a growth before it begins, from the problem, its criterion and the forms of
// its columns. Invariant: nothing here depends on a node, so that every grower of a problem is told
// the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "columns/forms.hpp"
#include "evaluate/context.hpp"

namespace ramify {

template <Target P>
class Outset {
  public:
    Outset(const Context<P>& context, const ColumnForms& forms)
        : context_(context),
          parameters_(context.parameters),
          forms_(forms),
          missing_(has_missing(context.problem.table)) {}

    // Whether rows that lack the value of a split are divided among its branches.
    bool divides() const { return missing_ && parameters_.missing == Missing::fractional; }
    // Whether an extra column lists all rows of a node.
    bool lists_rows() const { return missing_ || context_.by_ranks() || any_coded_or_sparse(); }
    // Whether the samples of large nodes are renumbered, see Router.
    bool renumbers() const {
        const Problem& problem = context_.problem;
        bool numbers = !P::classification && !P::weighted && !lists_rows() &&
                       problem.included.empty() && problem.constraints == nullptr;
        for (std::size_t c = 0; c < problem.table.size(); ++c)
            numbers = numbers && !context_.by_levels(c);
        return numbers;
    }
    // Spreading rows adds samples, which only one thread may do. A criterion that is the caller's
    // code may be called from one thread only.
    bool in_parallel() const {
        return parameters_.threads > 1 && !context_.by_ranks() && !(P::weighted && divides()) &&
               context_.criterion.thread_safe();
    }
    // Nodes of a subtree. Most trees are smaller. Memory that is never written costs nothing.
    std::size_t expected(std::int64_t rows, std::int64_t depth) const {
        constexpr std::int64_t most_levels = 22;
        // A skeleton may be deeper than the limit.
        const auto levels = std::clamp(parameters_.max_depth - depth, std::int64_t{0}, most_levels);
        const auto most = P::classification ? rows / 4 + 1 : rows;
        const auto leaves = std::min({most, parameters_.max_leaves, std::int64_t{1} << levels});
        return 2 * static_cast<std::size_t>(leaves);
    }

  private:
    bool any_coded_or_sparse() const {
        const auto has_values = [](const CodedColumn& coded) { return coded.values() > 0; };
        return std::any_of(forms_.coded.begin(), forms_.coded.end(), has_values) ||
               std::find(forms_.sparse.begin(), forms_.sparse.end(), true) != forms_.sparse.end();
    }

    const Context<P>& context_;
    const GrowParameters& parameters_;
    const ColumnForms& forms_;
    bool missing_;
};

}  // namespace ramify
