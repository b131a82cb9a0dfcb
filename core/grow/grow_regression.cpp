#include "grow/expand_impl.hpp"
#include "grow/grow.hpp"

namespace ramify {

Tree grow_regression(const Problem& problem, bool weighted, Interrupt& interrupt) {
    if (weighted) return Grower<Policy<WideEntry, true, false>>(problem, interrupt).grow();
    return Grower<Policy<RowEntry, false, false>>(problem, interrupt).grow();
}

}  // namespace ramify
