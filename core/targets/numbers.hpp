// Numbers: a row adds its weight and the first two moments of its target, (w, wy, wy^2). Invariant:
// that of target.hpp.
#pragma once

#include "targets/target.hpp"

namespace ramify {

template <typename Layout, bool weighted>
struct Numbers : WeighedRows<Layout, weighted> {
    using Rows = WeighedRows<Layout, weighted>;
    using Word = typename Rows::Word;
    static constexpr bool classification = false;

    static void add(const Samples& samples, Word entry, double* sums) {
        const double w = Rows::weight(samples, entry);
        const double y = samples.target[Layout::row(entry)];
        sums[0] += w;
        sums[1] += w * y;
        sums[2] += w * y * y;
    }
    static double weight_of(const double* sums, std::size_t) { return sums[0]; }
};

}  // namespace ramify
