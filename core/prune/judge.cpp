#include "prune/judge.hpp"

#include <stdexcept>
#include <string>

namespace ramify {

Judge judge_of(const Problem& problem, std::span<const double> costs) {
    const bool squared =
        problem.classes == 0 && problem.criterion->walk_kind() == WalkKind::squared_error;
    const LossKind of_numbers = squared ? LossKind::squared : LossKind::absolute;
    return judge_of(problem, costs, problem.classes > 0 ? LossKind::cost : of_numbers);
}

Judge judge_of(const Problem& problem, std::span<const double> costs, LossKind kind) {
    const bool of_classes = kind == LossKind::cost || kind == LossKind::brier;
    if (of_classes != (problem.classes > 0)) {
        throw std::invalid_argument("loss '" + std::string(name_of(kind)) +
                                    "' does not fit the problem");
    }
    return {kind, problem.labels, problem.target, costs};
}

}  // namespace ramify
