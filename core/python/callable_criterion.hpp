// A criterion written in Python: a function of the class weights of the children (children x
// classes), or of the moments of their targets (children x 3: weight, sum, sum of squares).
// Invariant: it is called with the interpreter lock, from one thread.
#pragma once

#include <cmath>
#include <limits>

#include "criteria/squared_error.hpp"
#include "python/arrays.hpp"

namespace ramify::python {

struct CallableCriterion final : Criterion {
    CallableCriterion(nb::callable function, bool of_numbers)
        : function_(std::move(function)), of_numbers_(of_numbers) {}

    // A function of a partition tells nothing about a single node. Numbers are predicted by their
    // mean, so their variance is shown.
    double impurity(const double* sums, std::size_t width) const override {
        return of_numbers_ ? SquaredError().impurity(sums, width) : unknown;
    }
    double scale(const double*, std::size_t) const override { return unknown; }
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
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    nb::callable function_;
    bool of_numbers_;
};

}  // namespace ramify::python
