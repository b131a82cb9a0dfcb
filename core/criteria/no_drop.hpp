// A criterion whose score is not the drop of an impurity. Invariant: the impurity of its nodes is
// that of the index closest to it.
#pragma once

#include "criteria/criterion.hpp"

namespace ramify {

template <typename Index>
struct NoDrop : Criterion {
    explicit NoDrop(const CriterionOptions& options) : index(options) {}

    double impurity(const double* weights, std::size_t classes) const override {
        return index.impurity(weights, classes);
    }
    bool drop_of_impurity() const override { return false; }

    Index index;
};

}  // namespace ramify
