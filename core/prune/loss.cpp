#include "prune/loss.hpp"

#include <algorithm>
#include <cmath>

#include "criteria/deviance.hpp"

namespace ramify {

Loss::Loss(const Tree& tree, const Judge& judge)
    : tree_(tree),
      arrays_(tree.arrays()),
      judge_(judge),
      classes_(tree.task() == Task::classification ? tree.width() : 0),
      mixture_(std::max<std::size_t>(classes_, 1), 0.0) {
    if (judge.kind == LossKind::cost) {
        label_.resize(tree.size());
        for (std::size_t i = 0; i < tree.size(); ++i) {
            label_[i] = static_cast<std::uint32_t>(tree.label(i, judge.costs));
        }
    }
    if (judge.kind == LossKind::poisson) {
        const double all = arrays_.prediction[0];
        rate_.assign(arrays_.prediction.begin(), arrays_.prediction.end());
        for (std::size_t i = 0; i < tree.size(); ++i) {
            if (!(rate_[i] > 0.0)) rate_[i] = all / (1.0 + all * arrays_.weight[i]);
        }
    }
    if (judge.kind == LossKind::brier) {
        square_.resize(tree.size());
        for (std::size_t i = 0; i < tree.size(); ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j < classes_; ++j) {
                const double share = tree.share(i, j);
                sum += share * share;
            }
            square_[i] = sum;
        }
    }
}

double Loss::of_class(std::size_t row, std::size_t predicted) const {
    const auto label = static_cast<std::size_t>(judge_.labels[row]);
    if (judge_.costs.empty()) return predicted == label ? 0.0 : 1.0;
    return judge_.costs[label * answers_of(classes_, judge_.costs) + predicted];
}

double Loss::of_number(std::size_t row, double prediction) const {
    const double y = judge_.target[row];
    const double difference = y - prediction;
    switch (judge_.kind) {
        case LossKind::squared:
            return difference * difference;
        case LossKind::pinball:
            return difference > 0.0 ? judge_.quantile * difference
                                    : (judge_.quantile - 1.0) * difference;
        case LossKind::poisson:
            return PoissonDeviance::of(y, prediction);
        case LossKind::gamma:
            return GammaDeviance::of(y, prediction);
        default:
            return std::abs(difference);
    }
}

double Loss::at(std::size_t row, std::size_t node) const {
    if (judge_.kind == LossKind::cost) return of_class(row, label_[node]);
    if (judge_.kind == LossKind::brier) {
        const auto label = static_cast<std::size_t>(judge_.labels[row]);
        return (square_[node] - 2.0 * tree_.share(node, label) + 1.0) /
               static_cast<double>(classes_);
    }
    return of_number(row, prediction(node));
}

void Loss::clear() {
    std::fill(mixture_.begin(), mixture_.end(), 0.0);
}

void Loss::add(const Spread& part) {
    const auto node = static_cast<std::size_t>(part.node);
    if (classes_ == 0) {
        mixture_[0] += part.share * prediction(node);
        return;
    }
    for (std::size_t j = 0; j < classes_; ++j) mixture_[j] += part.share * tree_.share(node, j);
}

bool Loss::close_call() const {
    constexpr double rounding = 1e-9;
    if (!judge_.costs.empty()) return true;  // costs are rare, and adding up again is never wrong
    double first = -1.0;
    double second = -1.0;
    for (const double share : mixture_) {
        if (share > first) {
            second = first;
            first = share;
        } else {
            second = std::max(second, share);
        }
    }
    return first - second < rounding;
}

double Loss::finish(std::size_t row) const {
    if (judge_.kind == LossKind::cost) {
        return of_class(row, decide(mixture_.data(), classes_, judge_.costs));
    }
    if (judge_.kind == LossKind::brier) {
        const auto label = static_cast<std::size_t>(judge_.labels[row]);
        double sum = 0.0;
        for (std::size_t j = 0; j < classes_; ++j) {
            const double difference = mixture_[j] - (j == label ? 1.0 : 0.0);
            sum += difference * difference;
        }
        return sum / static_cast<double>(classes_);
    }
    return of_number(row, mixture_[0]);
}

}  // namespace ramify
