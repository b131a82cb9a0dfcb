#include "prune/error_based.hpp"

#include "prune/error_pruner.hpp"

namespace ramify {

Tree error_based(const Problem& problem, const Tree& tree, const ErrorBasedOptions& options,
                 Interrupt& interrupt) {
    ErrorPruner pruner(tree, options);
    if (options.raising) {
        RowDivider divider(problem, pruner.nodes(), options.unseen);
        pruner.prune(0, divider.all_rows(), &divider, *problem.criterion, interrupt);
    } else {
        pruner.prune(0, {}, nullptr, *problem.criterion, interrupt);
    }
    return pruner.nodes().tree();
}

}  // namespace ramify
