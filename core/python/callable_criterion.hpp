// A criterion written in Python: a function of the class weights of the children (children x
// classes). Invariant: it is called with the interpreter lock, from one thread.
#pragma once

#include <cmath>
#include <limits>

#include "criteria/criterion.hpp"
#include "python/arrays.hpp"

namespace ramify::python {

struct CallableCriterion final : Criterion {
    explicit CallableCriterion(nb::callable function) : function_(std::move(function)) {}

    // A function of a partition tells nothing about a single node.
    double impurity(const double*, std::size_t) const override {
        return std::numeric_limits<double>::quiet_NaN();
    }
    bool drop_of_impurity() const override { return false; }
    bool strictly_concave() const override { return false; }
    bool concave() const override { return false; }
    bool thread_safe() const override { return false; }

  protected:
    double evaluate(const Partition& partition, double support) const override {
        const nb::gil_scoped_acquire gil;
        std::vector<double> children(partition.children,
                                     partition.children + partition.count * partition.classes);
        const nb::object result =
            function_(to_numpy(std::move(children), {partition.count, partition.classes}));
        double score = 0.0;
        if (!nb::try_cast(result, score)) {
            throw nb::type_error(
                "criterion: the callable must return one number, the score of the split");
        }
        // Gains are multiplied by weights and summed. NaN stays NaN.
        if (std::abs(score) > most) score = std::copysign(most, score);
        return counted(score, partition, support);
    }

  private:
    static constexpr double most = 1e150;

    nb::callable function_;
};

}  // namespace ramify::python
