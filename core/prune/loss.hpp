// The loss of a row that ends at a node, or that is spread over several nodes. Invariant: the loss
// is that of Tree::predict or Tree::predict_class on the same leaves, with the same ties.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"
#include "tree/walker.hpp"

namespace ramify {

enum class LossKind : std::uint8_t {
    cost,      // of the predicted class; 1 for a wrong one if there are no costs
    brier,     // mean squared error of the class shares
    squared,   // regression
    absolute,  // regression
    pinball,   // regression by a quantile
    poisson,   // regression: half the deviance
    gamma,     // the same
};
template <>
inline constexpr auto names_of<LossKind> =
    list_names("cost", "brier", "squared", "absolute", "pinball", "poisson", "gamma");

// The targets of a table and how a prediction of them is judged.
struct Judge {
    LossKind kind = LossKind::cost;
    std::span<const std::int32_t> labels{};
    std::span<const double> target{};
    std::span<const double> costs{};  // true class by predicted class; may be empty
    double quantile = 0.5;            // pinball
};

class Loss {
  public:
    Loss(const Tree& tree, const Judge& judge);

    double at(std::size_t row, std::size_t node) const;

    // For a row in parts: shares are added and subtracted one by one.
    void clear();
    void add(const Spread& part);
    // `parts` visits the present parts, in the order in which prediction adds them up.
    template <typename Parts>
    double of_mixture(std::size_t row, Parts&& parts);

  private:
    double of_class(std::size_t row, std::size_t predicted) const;
    double of_number(std::size_t row, double prediction) const;
    double prediction(std::size_t node) const {
        return rate_.empty() ? arrays_.prediction[node] : rate_[node];
    }
    bool close_call() const;
    double finish(std::size_t row) const;

    const Tree& tree_;
    const TreeArrays& arrays_;
    Judge judge_;
    std::size_t classes_;
    std::vector<std::uint32_t> label_;  // cost: of every node
    std::vector<double> square_;        // brier: sum of the squared shares of every node
    std::vector<double> mixture_;       // class shares, or the predicted number
    // Poisson: the prediction of every node. One of zero would lose infinitely much if a single
    // event were held out. As in rpart, its rate is then judged as if one event had been expected
    // before: with the rate r of all rows and the weight w of the node, r / (1 + r w).
    std::vector<double> rate_;
};

template <typename Parts>
double Loss::of_mixture(std::size_t row, Parts&& parts) {
    // Subtracting what was added leaves rounding behind, which must not decide between two classes.
    if (judge_.kind == LossKind::cost && close_call()) {
        clear();
        parts([&](const Spread& part) { add(part); });
    }
    return finish(row);
}

}  // namespace ramify
