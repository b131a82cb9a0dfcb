// A criterion whose score is not the drop of an impurity. Invariant: the impurity of its nodes is
// that of the index closest to it.
#pragma once

#include "criteria/criterion.hpp"

namespace ramify {

enum class Costs : bool { ignored, used };  // by the index

template <typename Index, Costs costs = Costs::used>
struct NoDrop : Criterion {
    explicit NoDrop(const CriterionOptions& options)
        : index(costs == Costs::used ? options : CriterionOptions{options.min_support, {}}) {}

    double impurity(const double* weights, std::size_t classes) const override {
        return index.impurity(weights, classes);
    }
    bool drop_of_impurity() const override { return false; }

    Index index;
};

}  // namespace ramify
