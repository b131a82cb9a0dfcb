#include "prune/judge.hpp"

#include <stdexcept>
#include <string>

namespace ramify {

namespace {

// The loss of numbers that the criterion reduces. The caller's own criterion predicts means.
LossKind own_loss(const Problem& problem) {
    switch (problem.criterion->walk_kind()) {
        case WalkKind::ranks:
            return problem.criterion->rank_loss().middle ? LossKind::absolute : LossKind::pinball;
        case WalkKind::poisson:
            return LossKind::poisson;
        case WalkKind::gamma:
            return LossKind::gamma;
        default:
            return LossKind::squared;
    }
}

}  // namespace

Judge judge_of(const Problem& problem, std::span<const double> costs) {
    return judge_of(problem, costs, problem.classes > 0 ? LossKind::cost : own_loss(problem));
}

Judge judge_of(const Problem& problem, std::span<const double> costs, LossKind kind) {
    const bool of_classes = kind == LossKind::cost || kind == LossKind::brier;
    if (of_classes != (problem.classes > 0)) {
        throw std::invalid_argument("loss '" + std::string(name_of(kind)) +
                                    "' does not fit the problem");
    }
    return {kind, problem.labels, problem.target, costs, problem.criterion->rank_loss().quantile};
}

}  // namespace ramify
