// Classes: a row adds its weight to the sum of its class, which its entry tells. Invariant: that of
// target.hpp.
#pragma once

#include "targets/target.hpp"

namespace ramify {

template <typename Layout, bool weighted>
struct Classes : WeighedRows<Layout, weighted> {
    using Rows = WeighedRows<Layout, weighted>;
    using Word = typename Rows::Word;
    static constexpr bool classification = true;

    static void add(const Samples& samples, Word entry, double* sums) {
        sums[Layout::label(entry)] += Rows::weight(samples, entry);
    }
    static double weight_of(const double* sums, std::size_t classes) {
        return std::accumulate(sums, sums + classes, 0.0);
    }
};

}  // namespace ramify
